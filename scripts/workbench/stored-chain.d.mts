/** Ends the local chain that the extension started in a workbench with this user data. */
export declare function endStoredChain(userData: string): Promise<void>;

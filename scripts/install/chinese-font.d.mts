export function installChineseFont(): void;

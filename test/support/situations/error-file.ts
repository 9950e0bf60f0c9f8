/** The file in the folder of the situations that has the error of the program in the host. */
export const ERROR_FILE = "error.txt";

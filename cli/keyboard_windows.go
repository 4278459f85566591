package cli

// keyboardName is the console of this process, whatever standard input is.
const keyboardName = "CONIN$"

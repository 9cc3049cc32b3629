// Colours for code.

export {};

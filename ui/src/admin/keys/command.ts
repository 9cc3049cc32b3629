/** The command that creates a key which opens this page, and creates others there. */
export const CREATE = "turnkit keys create laptop --user ada --scope chat --scope read --scope decide --scope admin";

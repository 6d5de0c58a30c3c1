const ESCAPES: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' }

/**
 * JSON that may stand inside a script element: whatever the text says, it can neither close the element nor open a comment.
 * The characters that HTML reads are written as JSON escapes, so nothing is lost.
 */
export const jsonForScript = (value: unknown): string => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (found) => ESCAPES[found]!)

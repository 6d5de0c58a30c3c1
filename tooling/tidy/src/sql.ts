/** Statements that a source sends to a database as text. The query builder's own `execute()` takes none. */
export const sqlTexts = (text: string): number => text.match(/\.(execute|query)(<[^()]*>)?\(\s*(?=[^\s)])/g)?.length ?? 0

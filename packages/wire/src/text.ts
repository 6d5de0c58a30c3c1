/**
 * Whether every text in a value, names of keys included, is one that a database keeps and a page shows as it was sent: without NUL, and
 * without half of a letter, which JSON can say and UTF-8 cannot.
 */
export function holdsText(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(holdsText)
  return Object.entries(value).every(([key, inner]) => holdsText(key) && holdsText(inner))
}

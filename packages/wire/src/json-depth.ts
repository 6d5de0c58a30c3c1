/**
 * Whether arrays and objects nest deeper than `levels`; does not recurse further. Parsing takes any depth, but most of what is done with a
 * value afterwards recurses until the stack ends.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const inner of value) if (isDeeper(inner, levels - 1)) return true
    return false
  }
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true
  return false
}

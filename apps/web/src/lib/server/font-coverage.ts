/** The characters that a font draws: its `cmap` table, in the two formats that fonts have of Unicode (4 and 12). */
export function codePointsOf(font: Buffer): Set<number> {
  const found = new Set<number>()
  const table = tableOf(font, 'cmap')
  if (!table) return found
  for (let i = 0; i < table.readUInt16BE(2); i++) {
    const subtable = table.subarray(table.readUInt32BE(4 + i * 8 + 4))
    const format = subtable.readUInt16BE(0)
    if (format === 4) addSegments(subtable, found)
    if (format === 12) addGroups(subtable, found)
  }
  return found
}

function tableOf(font: Buffer, tag: string): Buffer | null {
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const at = 12 + i * 16
    if (font.toString('latin1', at, at + 4) === tag) return font.subarray(font.readUInt32BE(at + 8))
  }
  return null
}

function addSegments(table: Buffer, found: Set<number>): void {
  const size = table.readUInt16BE(6)
  for (let i = 0; i < size; i += 2) {
    const last = table.readUInt16BE(14 + i)
    const first = table.readUInt16BE(16 + size + i)
    const delta = table.readUInt16BE(16 + 2 * size + i)
    const at = 16 + 3 * size + i
    const offset = table.readUInt16BE(at)
    for (let code = first; code <= last && code !== 0xffff; code++) {
      const glyph = offset === 0 ? code + delta : table.readUInt16BE(at + offset + (code - first) * 2)
      if ((glyph & 0xffff) !== 0) found.add(code)
    }
  }
}

function addGroups(table: Buffer, found: Set<number>): void {
  for (let i = 0; i < table.readUInt32BE(12); i++) {
    const at = 16 + i * 12
    for (let code = table.readUInt32BE(at); code <= table.readUInt32BE(at + 4); code++) found.add(code)
  }
}

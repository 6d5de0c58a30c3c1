import { crc32 } from 'node:zlib'

/** The first moment that a ZIP can name: its files have no time of their own, so that the same contents are the same bytes. */
const DATE = 0x21

/** Packs small text files, uncompressed. */
export function zip(files: Readonly<Record<string, string>>): Buffer<ArrayBuffer> {
  const [bodies, directory]: Buffer[][] = [[], []]
  let offset = 0
  for (const [file, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(file), Buffer.from(text)]
    const facts = factsOf(name, data)
    const head = Buffer.concat([Buffer.from('PK\x03\x04\x14\0', 'latin1'), facts, name])
    const tail = Buffer.alloc(14) // no comment, first disk, no attributes
    tail.writeUInt32LE(offset, 10)
    directory!.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0\x14\0', 'latin1'), facts, tail, name]))
    bodies!.push(head, data)
    offset += head.length + data.length
  }
  const entries = Buffer.concat(directory!)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory!.length, 8)
  end.writeUInt16LE(directory!.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies!, entries, end])
}

/** What both headers of a file say: flags, method, time, checksum, sizes, and the length of its name. */
function factsOf(name: Buffer, data: Buffer): Buffer {
  const facts = Buffer.alloc(24)
  facts.writeUInt16LE(0x800, 0) // names are UTF-8
  facts.writeUInt16LE(DATE, 6)
  facts.writeUInt32LE(crc32(data), 8)
  facts.writeUInt32LE(data.length, 12)
  facts.writeUInt32LE(data.length, 16)
  facts.writeUInt16LE(name.length, 20)
  return facts
}

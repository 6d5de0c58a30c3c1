import { isDeeper } from '@augury/wire/json-depth'
import { JSON_DEPTH } from '@augury/wire/limits'
import { parse } from '@augury/wire/parse'
import { hasRepeatedKey, repeatedKey } from '@augury/wire/repeated-key'
import { ServiceError } from '@augury/wire/service-error'
import type { z } from 'zod'
import { Fifo } from '../../base/fifo.ts'

/** The bytes of an unmasked WebSocket text message in a single frame: made once, written to every socket that wants it. */
export const textFrame = (text: string): Buffer => textFrames([text])

/** The same of several messages, joined. */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + headerBytes(length) + length, 0))
  let at = 0
  for (const [n, text] of texts.entries()) {
    at = writeHeader(bytes, at, lengths[n]!)
    at += lengths[n] === text.length ? bytes.write(text, at, 'latin1') : bytes.write(text, at, 'utf8') // ASCII needs no encoding
  }
  return bytes
}

const headerBytes = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

/** Writes the header of a frame; returns where its text begins. */
function writeHeader(bytes: Buffer, at: number, length: number): number {
  bytes[at] = 0x81 // final frame, text
  if (length < 126) bytes[at + 1] = length
  else if (length < 65_536) {
    bytes[at + 1] = 126
    bytes.writeUInt16BE(length, at + 2)
  } else {
    bytes[at + 1] = 127
    bytes.writeBigUInt64BE(BigInt(length), at + 2)
  }
  return at + headerBytes(length)
}

/** The value of a JSON text from a client; undefined, which no schema accepts, when it is malformed, nests deeper than a request may or has a key twice. */
export function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeper(value, JSON_DEPTH) || hasRepeatedKey(text) ? undefined : value
  } catch {
    return undefined
  }
}

/** What a client asks for. Throws what is wrong with its JSON or with its fields. */
export function requestOf<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  const value = jsonOf(text)
  if (value === undefined) throw hasRepeatedKey(text) ? repeatedKey() : new ServiceError('invalid_json')
  return parse(schema, value)
}

/** The text in a frame that `textFrame` made. */
export const frameText = (frame: Buffer): string => frame.toString('utf8', frame[1]! < 126 ? 2 : frame[1] === 126 ? 4 : 10)

/** Frames in order, joined once for all sockets that want them. */
export class FrameBatch {
  readonly frames: Buffer[] = []
  /** Of all frames. */
  bytes = 0
  #joined: Buffer | null = null

  add(frame: Buffer): void {
    this.frames.push(frame)
    this.bytes += frame.length
    this.#joined = null
  }

  /** All frames as one piece. */
  get joined(): Buffer {
    this.#joined ??= this.frames.length === 1 ? this.frames[0]! : Buffer.concat(this.frames, this.bytes)
    return this.#joined
  }
}

/** A frame in the ring of its channel. */
export interface RingEntry {
  channel: string
  seq: number
  prevSeq: number
  frame: Buffer
}

/** More bytes than this are not replayed to a reader at once: whole books are shorter, and history has pages. */
export const REPLAY_BYTES = 1024 * 1024

/** The newest frames of all channels, up to a bound of bytes, for clients that reconnect. */
export class Ring {
  readonly #bytes: number
  #held = 0
  readonly #order = new Fifo<RingEntry>()
  readonly #byChannel = new Map<string, Fifo<RingEntry>>()

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Adds a channel's next frame and evicts the oldest frames of all channels beyond the bound. */
  push(entry: RingEntry): void {
    this.#order.push(entry)
    this.#held += entry.frame.length
    const channel = this.#byChannel.get(entry.channel) ?? new Fifo<RingEntry>()
    this.#byChannel.set(entry.channel, channel)
    channel.push(entry)
    while (this.#held > this.#bytes) this.#evict()
  }

  /**
   * The frames of a channel after `seq` up to `last`; null when the chain between the two is broken, or longer than `most` bytes. `seq` must
   * be that of a frame, unless `between` allows any log position.
   */
  after(channel: string, seq: number, last: number, most: number, between = false): Buffer[] | null {
    const chain: Buffer[] = []
    let at = last
    let bytes = 0
    for (const entry of this.#byChannel.get(channel)?.backwards() ?? []) {
      if (at <= seq) break
      bytes += entry.frame.length
      if (entry.seq !== at || bytes > most) return null
      chain.push(entry.frame)
      at = entry.prevSeq
    }
    return at === seq || (between && at < seq) ? chain.reverse() : null
  }

  #evict(): void {
    const { channel, frame } = this.#order.shift()
    this.#held -= frame.length
    const entries = this.#byChannel.get(channel)!
    entries.shift()
    if (entries.size === 0) this.#byChannel.delete(channel)
  }
}

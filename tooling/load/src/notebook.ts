import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryFolder } from '@augury/testing/temporary-folder'

/** The record of one request: an order or a cancel, its trader, and the answer. */
export interface Note {
  kind: 'order' | 'cancel'
  orderId: string
  /** Number of its trader. */
  trader: number
  /** HTTP status; 0 without an answer. */
  status: number
  /** State of the order, or the code of the refusal. */
  word: string
  /** Log position of an accepted order. */
  seq: number
  /** Lots matched in the answer. */
  matched: number
}

const CHUNK = 256 * 1024

/** Every request and its answer, on disk: hours of them take no memory. */
export class Notebook {
  readonly #path = join(temporaryFolder('load'), 'notebook')
  readonly #file = openSync(this.#path, 'w')
  #text = ''
  count = 0

  /** Appends a record. */
  add({ kind, orderId, trader, status, word, seq, matched }: Note): void {
    this.#text += `${kind} ${orderId} ${trader} ${status} ${word} ${seq} ${matched}\n`
    this.count++
    if (this.#text.length > CHUNK) this.#flush()
  }

  /** All records again, in batches. */
  async *batches(size: number): AsyncIterable<Note[]> {
    this.#flush()
    let batch: Note[] = []
    for await (const line of createInterface({ input: createReadStream(this.#path) })) {
      const [kind, orderId, trader, status, word, seq, matched] = line.split(' ') as [
        Note['kind'],
        string,
        string,
        string,
        string,
        string,
        string,
      ]
      batch.push({ kind, orderId, trader: Number(trader), status: Number(status), word, seq: Number(seq), matched: Number(matched) })
      if (batch.length < size) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }

  /** Removes the file. */
  remove(): void {
    closeSync(this.#file)
    rmSync(this.#path, { force: true })
  }

  #flush(): void {
    writeSync(this.#file, this.#text)
    this.#text = ''
  }
}

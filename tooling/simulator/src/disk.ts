import type { Prng } from '@augury/testing/prng'

/** Bytes that a disk writes atomically, unless it garbles them. */
export const SECTOR = 512

/** The result of a power cut for a sector that was written and not yet synced. */
export type SectorFate = 'kept' | 'lost' | 'garbled' | 'flipped'

/** A file on a disk that is as unreliable as allowed: unsynced data may be lost or garbled. */
export class Disk {
  #durable = new Uint8Array(SECTOR)
  #current = new Uint8Array(SECTOR)
  #length = 0
  #pending = new Set<number>()

  /** The content as readers see it while the power is on. */
  get bytes(): Uint8Array {
    return this.#current.subarray(0, this.#length)
  }

  /** Unsynced sectors. */
  get pending(): number[] {
    return [...this.#pending].sort((a, b) => a - b)
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#length = Math.max(this.#length, Math.ceil((offset + bytes.length) / SECTOR) * SECTOR)
    if (this.#length > this.#current.length) {
      this.#current = enlarged(this.#current, this.#length * 2)
      this.#durable = enlarged(this.#durable, this.#length * 2)
    }
    this.#current.set(bytes, offset)
    for (let sector = Math.floor(offset / SECTOR); sector * SECTOR < offset + bytes.length; sector++) this.#pending.add(sector)
  }

  sync(): void {
    for (const sector of this.#pending) this.#durable.set(sectorOf(this.#current, sector), sector * SECTOR)
    this.#pending.clear()
  }

  /** Discards what was written and not synced. */
  discard(): void {
    for (const sector of this.#pending) this.#current.set(sectorOf(this.#durable, sector), sector * SECTOR)
    this.#pending.clear()
  }

  /** A copy of the disk, unsynced sectors included. */
  copy(): Disk {
    const disk = new Disk()
    disk.#durable = this.#durable.slice(0, Math.max(SECTOR, this.#length))
    disk.#current = this.#current.slice(0, Math.max(SECTOR, this.#length))
    disk.#length = this.#length
    disk.#pending = new Set(this.#pending)
    return disk
  }

  /** Cuts the power: each unsynced sector meets its fate. */
  cut(fateOf: (sector: number) => SectorFate, random: Prng): void {
    for (const sector of this.#pending) {
      const fate = fateOf(sector)
      const start = sector * SECTOR
      if (fate === 'lost') this.#current.set(sectorOf(this.#durable, sector), start)
      else if (fate === 'flipped') flip(this.#current, start + random.integer(0, SECTOR - 1), random)
      else if (fate === 'garbled') for (let i = start; i < start + SECTOR; i++) this.#current[i] = random.integer(0, 255)
    }
    this.sync()
  }

  /** Flips one bit of synced data. */
  rot(offset: number, random: Prng): void {
    flip(this.#current, offset, random)
    this.#durable[offset] = this.#current[offset]!
  }
}

/** Draws a fate with the probabilities of the design: kept 40–60 %, lost 30–50 %, garbled 0–10 %, one bit flipped 0–10 %. */
export function drawFate(random: Prng): SectorFate {
  const draw = random.unit()
  if (draw < 0.5) return 'kept'
  if (draw < 0.88) return 'lost'
  return draw < 0.94 ? 'garbled' : 'flipped'
}

function flip(bytes: Uint8Array, offset: number, random: Prng): void {
  bytes[offset] = bytes[offset]! ^ (1 << random.integer(0, 7))
}

const sectorOf = (bytes: Uint8Array, sector: number): Uint8Array => bytes.subarray(sector * SECTOR, (sector + 1) * SECTOR)

function enlarged(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  whole.set(bytes)
  return whole
}

import { readdirSync, readFileSync } from 'node:fs'
import { processorTime, type Used } from '@augury/bench/service/processor'

const PAGE_BYTES = 4096

/** A sample of one program: seconds of processor time since the first sample, resident bytes, open descriptors. */
interface Sample {
  at: number
  loop: number
  all: number
  rss: number
  files: number
}

/** What a program used over a period. */
export interface Usage {
  name: string
  /** Shares of one processor: of its main thread, and of all its threads. */
  loop: number
  all: number
  /** Memory in MiB: at the end, growth per hour in the second half, and the means of the middle and the last third. */
  rss: number
  rssSlope: number
  rssThirds: readonly [number, number]
  files: number
  filesSlope: number
}

/** Samples programs, at most a fixed number of times however long it takes. */
export class Lookout {
  readonly #programs: () => { name: string; pid: number }[]
  readonly #samples = new Map<string, Sample[]>()
  readonly #timer: NodeJS.Timeout
  readonly #begunIdle = idle()
  /** Processor time of each process when last seen: ended processes keep what they used. */
  readonly #used = new Map<number, Used>()

  /** Starts, with a sample every `ms` milliseconds. */
  constructor(programs: () => { name: string; pid: number }[], ms: number) {
    this.#programs = programs
    this.#look()
    this.#timer = setInterval(() => this.#look(), ms)
  }

  /** Stops. Returns what each program used, and the idle share of the machine. */
  stop(): { usages: Usage[]; idle: number } {
    clearInterval(this.#timer)
    this.#look()
    const [before, now] = [this.#begunIdle, idle()]
    return {
      usages: [...this.#samples].map(([name, samples]) => usageOf(name, samples)),
      idle: (now.idle - before.idle) / Math.max(1, now.all - before.all),
    }
  }

  #look(): void {
    const at = performance.now()
    for (const [name, pids] of Map.groupBy([...this.#programs(), { name: 'generator', pid: process.pid }], ({ name }) => name)) {
      const samples = this.#samples.get(name)
      const { loop, all } = samples?.at(-1) ?? { loop: 0, all: 0 }
      const sample: Sample = { at, loop, all, rss: 0, files: 0 }
      for (const pid of pids.flatMap(({ pid }) => (name === 'postgres' ? [pid, ...children(pid)] : [pid])))
        this.#add(sample, pid, { isFirst: samples === undefined, shares: name === 'postgres' })
      if (samples) samples.push(sample)
      else this.#samples.set(name, [sample])
    }
  }

  /** PostgreSQL's processes share most of their memory: only the private part of each counts. */
  #add(sample: Sample, pid: number, { isFirst, shares }: { isFirst: boolean; shares: boolean }): void {
    try {
      const used = processorTime(pid)
      const before = this.#used.get(pid) ?? (isFirst ? used : { loop: 0, all: 0 })
      this.#used.set(pid, used)
      sample.loop += Math.max(0, used.loop - before.loop)
      sample.all += Math.max(0, used.all - before.all)
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
      sample.rss += (resident - (shares ? shared : 0)) * PAGE_BYTES
      sample.files += readdirSync(`/proc/${pid}/fd`).length
    } catch {
      // gone meanwhile
    }
  }
}

function children(parent: number): number[] {
  try {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // gone meanwhile
  }
}

function usageOf(name: string, samples: readonly Sample[]): Usage {
  const [first, last] = [samples[0]!, samples.at(-1)!]
  const seconds = Math.max(0.001, (last.at - first.at) / 1000)
  const half = samples.slice(Math.floor(samples.length / 2))
  const third = Math.max(1, Math.floor(samples.length / 3))
  const mean = (from: number, to?: number) => {
    const part = samples.slice(from, to)
    return part.reduce((sum, { rss }) => sum + rss, 0) / part.length / 2 ** 20
  }
  return {
    name,
    loop: (last.loop - first.loop) / seconds,
    all: (last.all - first.all) / seconds,
    rss: last.rss / 2 ** 20,
    rssSlope: slope(half.map(({ at, rss }) => [at, rss / 2 ** 20])),
    rssThirds: [samples.length < 2 ? last.rss / 2 ** 20 : mean(-2 * third, -third), mean(-third)],
    files: last.files,
    filesSlope: slope(half.map(({ at, files }) => [at, files])),
  }
}

/** Slope per hour of the line through points of milliseconds and values. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return spread === 0 ? 0 : (points.reduce((sum, [at, figure]) => sum + (at - x) * (figure - y), 0) / spread) * 3_600_000
}

/** Idle ticks of the machine's processors, and all ticks. */
function idle(): { idle: number; all: number } {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number)
  return { idle: ticks[3]! + ticks[4]!, all: ticks.reduce((sum, tick) => sum + tick, 0) }
}

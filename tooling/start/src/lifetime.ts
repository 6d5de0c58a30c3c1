/** What this process has opened, and its orderly end. */
export interface Lifetime {
  /** Registers something to close at the end, before everything that was added earlier. */
  add(close: () => unknown): void
  /** Closes everything, prints the message and ends the process. Later calls wait for the first. */
  end(code: number, words: string): Promise<void>
  readonly ending: boolean
}

/** An empty lifetime. */
export function lifetime(): Lifetime {
  const closers: (() => unknown)[] = []
  let end: Promise<void> | undefined

  async function close(code: number, words: string): Promise<void> {
    if (code !== 0) console.error(words) // first, because closing may take a while
    while (closers.length > 0) {
      try {
        await closers.pop()?.()
      } catch (error) {
        console.error(error instanceof Error ? error.message : error)
      }
    }
    if (code === 0) console.log(words)
    process.exit(code)
  }

  return {
    add: (closer) => void closers.push(closer),
    end: (code, words) => {
      end ??= close(code, words)
      return end
    },
    get ending() {
      return end !== undefined
    },
  }
}

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { VERDICT } from './mutant-verdict.ts'
import type { Mutant } from './mutants.ts'

const CHILD = fileURLToPath(new URL('./mutant-child.ts', import.meta.url))

/** The result of a hunt. */
export interface Score {
  mutants: number
  killed: number
  /** Names of mutants that survived or no longer match the source. */
  survivors: string[]
}

/** Prints a line. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Hunts mutants, each in a process of its own, and prints a line for each. */
export async function huntAll(list: readonly Mutant[], options: { budgetMs: number; parallel: number }): Promise<Score> {
  const score: Score = { mutants: list.length, killed: 0, survivors: [] }
  const queue = [...list]
  const work = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const started = performance.now()
      const { verdict, how } = await hunt(mutant.name, options.budgetMs)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      print(`${verdict.padEnd(9)}${seconds.padStart(6)} s  ${mutant.name}${how ? `: ${how}` : ''}`)
      if (verdict === 'killed') score.killed++
      else score.survivors.push(`${mutant.name} (${verdict})`)
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  return score
}

/** A mutant that hangs or crashes counts as killed: the simulator would have stopped. */
function hunt(name: string, budgetMs: number): Promise<{ verdict: 'killed' | 'survived' | 'stale'; how: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, name, String(budgetMs)], { stdio: ['ignore', 'pipe', 'pipe'] })
    let told = ''
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString()
    })
    let hung = false
    const timer = setTimeout(() => {
      hung = true
      child.kill('SIGKILL')
    }, budgetMs + 10_000)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      if (hung) resolve({ verdict: 'killed', how: 'it never came to an end' })
      else if (code === VERDICT.killed) resolve({ verdict: 'killed', how: told.trim().split('\n')[0] ?? '' })
      else if (code === VERDICT.survived) resolve({ verdict: 'survived', how: '' })
      else if (code === VERDICT.stale) resolve({ verdict: 'stale', how: 'its place in the source is gone' })
      else reject(new Error(`the hunt for ${name} failed by itself (${code}): ${complaint.slice(0, 2000)}`))
    })
  })
}

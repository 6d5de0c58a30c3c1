import { registerHooks } from 'node:module'
import { VERDICT } from './mutant-verdict.ts'
import { mutants } from './mutants.ts'

/** Applies a mutant to a source file as it is loaded, in this process only, and lets the simulator look for it. */
async function main(name: string, budgetMs: number): Promise<number> {
  const mutant = mutants.find((other) => other.name === name)
  if (!mutant) throw new Error(`no such mutant: ${name}`)
  let patched = 0
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith(`/${mutant.file}`)) return loaded
      const source = String(loaded.source)
      const pieces = source.split(mutant.find)
      if (pieces.length !== 2) process.exit(VERDICT.stale)
      patched++
      return { ...loaded, source: pieces.join(mutant.replace) }
    },
  })
  const { hunt } = await import('./hunt.ts')
  const found = await hunt(mutant.ground, budgetMs)
  if (patched !== 1) return VERDICT.stale
  if (!found) return VERDICT.survived
  process.stdout.write(`${found}\n`)
  return VERDICT.killed
}

process.exit(await main(process.argv[2]!, Number(process.argv[3])))

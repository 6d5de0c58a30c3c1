import { parseArgs } from 'node:util'
import { grounds, hunt } from './hunt.ts'
import { mutants } from './mutants.ts'
import { huntAll, print } from './mutation-score.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, seconds: { type: 'string', default: '40' }, parallel: { type: 'string', default: '2' } },
})

/** The sound source has to live where the mutants die: else they die of something else. */
for (const ground of [...grounds, 'postgres', 'history'] as const) {
  const found = values.only ? null : await hunt(ground, Number(values.seconds) * 1000)
  if (found) throw new Error(`the source itself fails on ${ground}: ${found}`)
}

const list = mutants.filter(({ name }) => !values.only || name.includes(values.only))
const score = await huntAll(list, { budgetMs: Number(values.seconds) * 1000, parallel: Number(values.parallel) })
for (const name of score.survivors) print(`NOT KILLED: ${name}`)
print(`${score.killed} of ${score.mutants} mutants killed`)
if (score.killed !== score.mutants) process.exitCode = 1

import { parseArgs } from 'node:util'
import { huntAll, print } from './mutation-score.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, seconds: { type: 'string', default: '20' }, parallel: { type: 'string', default: '2' } },
})

const score = await huntAll({ only: values.only ?? null, budgetMs: Number(values.seconds) * 1000, parallel: Number(values.parallel) })
print(`${score.killed} of ${score.mutants} mutants killed`)
if (score.killed !== score.mutants) process.exitCode = 1

import { faults, full, quick } from './faults.ts'
import { Scene } from './scene.ts'

// Breaks a real exchange under load and prints what must hold and what was seen. `--quick` does it in a minute; words choose faults.
const say = (line: string) => process.stdout.write(`${line}\n`)
const args = process.argv.slice(2)
const scale = args.includes('--quick') ? quick : full
const words = args.filter((arg) => !arg.startsWith('--'))
const chosen = faults.filter(({ name }) => words.every((word) => name.includes(word)))
if (chosen.length === 0) throw new Error(`no fault is called so; there are:\n${faults.map(({ name }) => `  ${name}`).join('\n')}`)

const scene = await Scene.open()
try {
  for (const fault of chosen) {
    say(`${fault.name}\n  must: ${fault.must}`)
    const { facts, wrong } = await fault.run(scene, scale)
    say(`  seen: ${facts}`)
    for (const sentence of wrong.slice(0, 20)) say(`  WRONG: ${sentence}`)
    if (wrong.length > 0) process.exitCode = 1
  }
} finally {
  await scene.close()
}

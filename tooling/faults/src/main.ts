import { type Fault, faults, full, quick, type Scale } from './faults.ts'
import { lines } from './lines.ts'
import { races } from './races.ts'
import { restores } from './restore.ts'
import { Scene } from './scene.ts'
import { soak } from './soak.ts'
import { streams } from './streams.ts'

// Breaks a real exchange under load and prints what must hold and what was seen. `--quick` does it in some minutes; a scale by its name,
// as `--kills 200` or `--sockets 500`, sets it; `--soak 30` watches the memory for so many minutes instead; words choose.
const say = (line: string) => process.stdout.write(`${line}\n`)
const args = process.argv.slice(2)
const all: readonly Fault[] = [...faults, ...lines, ...restores, ...races, ...streams]
const scale: Scale = { ...(args.includes('--quick') ? quick : full) }
const words: string[] = []
let soakMinutes: number | null = null
for (let at = 0; at < args.length; at++) {
  const arg = args[at]!
  const name = arg.slice(2)
  if (arg === '--quick') continue
  if (!arg.startsWith('--')) words.push(arg)
  else if (name === 'soak') soakMinutes = Number(args[at + 1] ?? '30') || 30
  else if (!Object.hasOwn(scale, name))
    throw new Error(`there is no --${name}; there are --quick, --soak and --${Object.keys(scale).join(', --')}`)
  else scale[name as keyof Scale] = positive(arg, args[at + 1])
  if (arg.startsWith('--') && /^\d+$/.test(args[at + 1] ?? '')) at++
}
const chosen = soakMinutes === null ? all.filter(({ name }) => words.every((word) => name.includes(word))) : [soak(soakMinutes, say)]
if (chosen.length === 0) throw new Error(`nothing is called so; there are:\n${all.map(({ name }) => `  ${name}`).join('\n')}`)

function positive(name: string, text: string | undefined): number {
  if (!/^[1-9]\d*$/.test(text ?? '')) throw new Error(`${name} needs a number`)
  return Number(text)
}

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

import { all } from './all.ts'
import { type Fault, full, quick, type Scale, type Seen } from './faults.ts'
import { type Reported, writeReport } from './report.ts'
import { Scene } from './scene.ts'
import { soak } from './soak.ts'

// Breaks a real exchange under load and prints what must hold and what was seen. `--quick` does it in some minutes; a scale by its name,
// as `--kills 200` or `--sockets 500`, sets it; `--soak 30` watches the memory for so many minutes instead; words choose. Without words it writes bench/faults.md.
const say = (line: string) => process.stdout.write(`${line}\n`)
const args = process.argv.slice(2)
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

let scene = await Scene.open()
const report: Reported[] = []
try {
  for (const fault of chosen) {
    say(`${new Date().toISOString().slice(11, 19)}  ${fault.name}\n  must: ${fault.must}`)
    const begun = performance.now()
    const seen = await attempt(fault)
    report.push({ fault, seen, seconds: (performance.now() - begun) / 1000 })
    say(`  seen: ${seen.facts}`)
    for (const sentence of seen.wrong.slice(0, 20)) say(`  WRONG: ${sentence}`)
    if (seen.wrong.length > 0) process.exitCode = 1
    // After every fault: what was seen is not lost with the hours that it took.
    if (words.length === 0) writeReport(report)
  }
} finally {
  await scene.close()
}

/** What was seen of a fault; one that breaks says so in its place, and the next begins with everything new. */
async function attempt(fault: Fault): Promise<Seen> {
  try {
    return await fault.run(scene, scale)
  } catch (error) {
    await scene.close().catch((closing) => say(`  ${closing}`))
    scene = await Scene.open()
    return { facts: 'it broke off', wrong: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
}

import { parseArgs } from 'node:util'
import { all } from './all.ts'
import { type Fault, full, quick, type Scale, type Seen } from './faults.ts'
import { type Reported, writeReport } from './report.ts'
import { Scene } from './scene.ts'
import { soak } from './soak.ts'

// Breaks a real exchange under load and prints what must hold and what was seen. `--quick` does it in some minutes; a scale by its name,
// as `--kills 200` or `--sockets 500`, sets it; `--soak 30` watches the memory for so many minutes instead; words choose. Without words it writes bench/faults.md.
const say = (line: string) => process.stdout.write(`${line}\n`)
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    soak: { type: 'string' },
    ...Object.fromEntries(Object.keys(full).map((name) => [name, { type: 'string' as const }])),
  },
})
const scale: Scale = { ...(values.quick ? quick : full) }
for (const name of Object.keys(full) as (keyof Scale)[]) {
  const given = (values as Record<string, unknown>)[name]
  if (given !== undefined) scale[name] = positive(`--${name}`, given)
}
const chosen =
  values.soak === undefined
    ? all.filter(({ name }) => words.every((word) => name.includes(word)))
    : [soak(positive('--soak', values.soak), say)]
if (chosen.length === 0) throw new Error(`nothing is called so; there are:\n${all.map(({ name }) => `  ${name}`).join('\n')}`)

function positive(name: string, given: unknown): number {
  if (!/^[1-9]\d*$/.test(String(given))) throw new Error(`${name} needs a number`)
  return Number(given)
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

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = new URL('../src/', import.meta.url)

/** Every file that a file imports at runtime, through our own packages. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const specifier of imports(file)) {
    if (specifier.startsWith('.')) reach(fileURLToPath(new URL(specifier, `file://${file}`)), seen)
    else if (specifier.startsWith('@augury/')) {
      const [, name, ...path] = specifier.split('/')
      reach(fileURLToPath(new URL(`../../${name}/src/${path.join('/')}.ts`, import.meta.url)), seen)
    } else seen.add(specifier)
  }
  return seen
}

const imports = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)(?! type)[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gms)].map(
    (match) => match[1] ?? match[2]!,
  )

test.each(readdirSync(source))('%s runs in a browser: it imports nothing of Node', (name) => {
  const outside = [...reach(fileURLToPath(new URL(name, source)))].filter((specifier) => !specifier.startsWith('/'))
  expect(outside.filter((specifier) => !['@trpc/client', 'viem', 'viem/siwe', 'zod'].includes(specifier))).toEqual([])
})

test('the table of operations is among the imports', () => {
  const files = [...reach(fileURLToPath(new URL('rest.ts', source)))]
  expect(files.some((file) => file.endsWith('/wire/src/operations/venue.ts'))).toBe(true)
})

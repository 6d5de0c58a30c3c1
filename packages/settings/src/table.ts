import { PROGRAMS } from './env.ts'
import { type Fallback, type Name, variables } from './variables.ts'

/** The table of variables as Markdown, for the documentation. */
export function variablesTable(): string {
  const rows = Object.entries(variables).map(
    ([name, { fallback, docs }]) => `| \`${name}\` | ${readers(name as Name)} | ${describe(fallback)} | ${docs} |`,
  )
  return ['| Variable | Read by | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}

/** Programs that read a variable. The checks of a sandbox run in every program that listens. */
function readers(name: Name): string {
  const variable = name === 'NODE_ENV' || name === 'SANDBOX_PUBLIC' ? 'HOST' : name
  return Object.keys(PROGRAMS)
    .filter((program) => PROGRAMS[program]!.includes(variable))
    .join(', ')
}

function describe(fallback: Fallback): string {
  if ('none' in fallback) return 'unset'
  if ('made' in fallback) return `sandbox: generated and kept; production: ${'production' in fallback ? 'unset' : 'required'}`
  if ('both' in fallback) return quote(fallback.both)
  return `sandbox: ${quote(fallback.sandbox)}; production: ${'production' in fallback ? quote(fallback.production) : 'required'}`
}

const quote = (text: string) => (text === '' ? 'empty' : `\`${text}\``)

import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import type { Command } from '../command.ts'
import { misuse } from '../failure.ts'

const callable = new Map<string, Operation>(Object.entries(venueOperations).filter(([, { auth }]) => auth !== 'wallet'))
const PARTS = ['params', 'query', 'body'] as const

/** Calls any operation of the exchange by name, for those without a command of their own. */
export const call: Command = {
  usage: 'OPERATION [JSON]',
  about:
    'Call an operation of the exchange by its name in /openapi.json. JSON is what it takes: {"params": …, "query": …, "body": …}, each where it has one.',
  flags: {},
  words: [1, 2],
  async run({ trader, visitor, show }, { words: [name = '', text = '{}'] }) {
    const operation = callable.get(name)
    if (!operation) throw misuse(`there is no operation ${name}; the exchange names them in /openapi.json`)
    const input = readInput(operation, text)
    const client = operation.auth === 'public' ? visitor : await trader()
    const answer = await (client as unknown as Record<string, (input: object) => Promise<unknown>>)[name]!(input)
    show(answer, () => JSON.stringify(answer, null, 2))
  },
}

/** Parses the input of an operation. Unknown keys are refused before anything is sent. */
function readInput(operation: Operation, text: string): object {
  const input = parse(text)
  const unknown = Object.keys(input).find((part) => !PARTS.some((each) => each === part && operation[each]))
  if (unknown !== undefined) throw misuse(`it takes no ${unknown}`)
  for (const part of PARTS) {
    const issue = operation[part]?.safeParse(input[part] ?? (part === 'body' ? undefined : {})).error?.issues[0]
    if (issue) throw misuse(`${[part, ...issue.path].join('.')}: ${issue.message}`)
  }
  return input
}

function parse(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {}
  throw misuse(`this is no JSON object: ${text}`)
}

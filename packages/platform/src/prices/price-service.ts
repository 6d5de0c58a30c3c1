import type { z } from 'zod'
import { fetchOutside } from '../outbound/fetch-outside.ts'
import { OracleError } from './oracle.ts'

/** Requests a path of a price service and parses the answer by a schema. Throws OracleError or OutboundError. */
export type AskService = <Schema extends z.ZodType>(url: string, schema: Schema) => Promise<z.output<Schema>>

/** Longest answer in bytes: a thousand candles. */
const MAX_BYTES = 512 * 1024

/** Makes requests to the host of one configured address only; each carries the key, if there is one. */
export function priceService(address: string, { key, loopback }: { key: string | null; loopback: boolean }): AskService {
  const host = new URL(address).host
  const headers: Record<string, string> = key === null ? {} : { Authorization: `Bearer ${key}` }
  return async (url, schema) => {
    const { status, body } = await fetchOutside(url, { hosts: [host], loopback }, { headers, maxBytes: MAX_BYTES })
    if (status !== 200) throw new OracleError(`${host} answers ${status}`)
    let value: unknown
    try {
      value = JSON.parse(body)
    } catch {
      throw new OracleError(`${host} does not answer in JSON`)
    }
    const read = schema.safeParse(value)
    if (!read.success)
      throw new OracleError(`${host} answers something else: ${read.error.issues[0]?.path.join('.')} ${read.error.issues[0]?.message}`)
    return read.data
  }
}

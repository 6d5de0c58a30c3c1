import { LIVE_TOPICS, type LiveSubscription } from '@augury/wire/compat-stream'
import { errorFrame, unknownFrame } from './told.ts'

/** What is wrong with a subscription of the live-data path, and whether it is refused or kept: what it names may still come. */
export interface WrongLive {
  frame: object
  isRefused: boolean
}

/** Returns what is wrong with a subscription that can match nothing, or null. */
export function wrongLive(subscription: LiveSubscription, isToken: (id: string) => boolean): WrongLive | null {
  const { topic, type, filters = '', clob_auth } = subscription
  const refused = (text: string) => ({ frame: errorFrame('unsupported', text, { topic, type }), isRefused: true })
  const types = Object.hasOwn(LIVE_TOPICS, topic) ? LIVE_TOPICS[topic] : undefined
  if (!types) return refused(`this exchange does not send the topic ${topic}; it sends ${Object.keys(LIVE_TOPICS).join(', ')}`)
  if (type !== '*' && !types.includes(type)) return refused(`the topic ${topic} has the types ${types.join(', ')} and *`)
  if (topic === 'clob_user') return clob_auth ? null : refused('the topic clob_user needs clob_auth')
  let value: unknown = null
  try {
    if (filters !== '') value = JSON.parse(filters)
  } catch {
    return refused('filters must be JSON')
  }
  if (topic === 'clob_market' && Array.isArray(value)) {
    const unknown = value.map(String).filter((id) => !isToken(id))
    return unknown.length > 0 ? { frame: unknownFrame('assets_ids', unknown), isRefused: unknown.length === value.length } : null
  }
  if (topic === 'activity' && Array.isArray(value))
    return refused('filters of activity are an object with event_slug, market_slug or condition_id')
  return null
}

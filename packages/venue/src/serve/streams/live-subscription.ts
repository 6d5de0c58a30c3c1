import { LIVE_TOPICS, type LiveSubscription, SITE_TOPICS } from '@augury/wire/compat-stream'
import { errorFrame, unknownFrame } from './told.ts'

/** What is wrong with a subscription of the live-data path, and whether it is refused or kept: what it names may still come. */
export interface WrongLive {
  frame: object
  isRefused: boolean
}

/** Characters that a filter of a topic of the site may have: it names one thing. */
const SITE_FILTER_LETTERS = 256

/** Returns what is wrong with a subscription that can match nothing, or null. `hasSite`: topics of a site are sent. */
export function wrongLive(subscription: LiveSubscription, isToken: (id: string) => boolean, hasSite: boolean): WrongLive | null {
  const { topic, type, filters = '', clob_auth } = subscription
  const refused = (text: string) => ({ frame: errorFrame('unsupported', text, { topic, type }), isRefused: true })
  const topics = hasSite ? { ...LIVE_TOPICS, ...SITE_TOPICS } : LIVE_TOPICS
  const types = Object.hasOwn(topics, topic) ? topics[topic] : undefined
  if (!types) return refused(`this exchange does not send the topic ${topic}; it sends ${Object.keys(topics).join(', ')}`)
  if (type !== '*' && !types.includes(type)) return refused(`the topic ${topic} has the types ${types.join(', ')} and *`)
  if (topic === 'clob_user') return clob_auth ? null : refused('the topic clob_user needs clob_auth')
  let value: unknown = null
  try {
    if (filters !== '') value = JSON.parse(filters)
  } catch {
    return refused('filters must be JSON')
  }
  if (Object.hasOwn(SITE_TOPICS, topic) && (Array.isArray(value) || filters.length > SITE_FILTER_LETTERS))
    return refused(`filters of ${topic} are an object that names one ${topic === 'comments' ? 'event' : 'symbol'}`)
  if (topic === 'clob_market' && Array.isArray(value)) {
    const unknown = value.map(String).filter((id) => !isToken(id))
    return unknown.length > 0 ? { frame: unknownFrame('assets_ids', unknown), isRefused: unknown.length === value.length } : null
  }
  if (topic === 'activity' && Array.isArray(value))
    return refused('filters of activity are an object with event_slug, market_slug or condition_id')
  return null
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Needs } from './readiness.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What the metrics of a site read at each scrape. */
export interface SiteFacts {
  needs(): Promise<Needs>
  /** Whether Redis answers; null without one. */
  redis(): boolean | null
}

/** Metrics of a site for Prometheus. */
export interface SiteMetrics {
  /** Counts the answer to a request, from now to its first byte: a stream has no end. */
  count(incoming: IncomingMessage, outgoing: ServerResponse): void
  text(): Promise<string>
}

/** Counts what a site answers. Labels are from fixed sets: nothing that a caller sent. */
export function siteMetrics(facts: SiteFacts): SiteMetrics {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const answers = new Counter({
    name: 'augury_site_answers_total',
    help: 'Answers of the site by what was asked for (page, api, admin, file) and status.',
    labelNames: ['kind', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'augury_site_answer_seconds',
    help: 'From the request to the first byte of its answer.',
    labelNames: ['kind'],
    buckets: SECONDS,
    registers,
  })
  const need = new Gauge({
    name: 'augury_site_need',
    help: '1 where what the site needs is there: its database, the exchange.',
    labelNames: ['need'],
    registers,
  })
  const redis = new Gauge({ name: 'augury_redis_up', help: '1 while Redis answers this site. Absent without Redis.', registers: [] })
  return {
    count({ url }, outgoing) {
      const [kind, began] = [kindOf(url!), performance.now()]
      const writeHead = outgoing.writeHead
      outgoing.writeHead = (...head: unknown[]) => {
        seconds.observe({ kind }, (performance.now() - began) / 1000)
        answers.inc({ kind, status: head[0] as number })
        return Reflect.apply(writeHead, outgoing, head)
      }
    },
    async text() {
      for (const [name, isThere] of Object.entries(await facts.needs())) need.set({ need: name }, Number(isThere))
      const answering = facts.redis()
      if (answering !== null) {
        redis.set(Number(answering))
        register.registerMetric(redis)
      }
      return register.metrics()
    },
  }
}

function kindOf(url: string): 'page' | 'api' | 'admin' | 'file' {
  if (/^\/admin(\/|\?|$)/.test(url)) return 'admin'
  if (/^\/(api|trpc)(\/|\?|$)/.test(url)) return 'api'
  return /^\/(_app\/|service-worker\.js|[^?]*\.(png|svg|ico|txt|xml|webmanifest|woff2)(\?|$))/.test(url) ? 'file' : 'page'
}

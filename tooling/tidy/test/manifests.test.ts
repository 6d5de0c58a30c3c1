import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isSecret, type Name } from '@augury/settings/variables'
import { describe, expect, test } from 'vitest'
import {
  camel,
  DATABASES,
  type Environment,
  env,
  expectToStart,
  image,
  PROGRAMS,
  portOf,
  programOf,
  text,
  yaml,
} from '../src/deployment.ts'
import { root } from '../src/sources.ts'

test('the exchange runs alike in a checkout, in compose and in a cluster', () => {
  const flags = [...text('packages/testing/src/exchange-flags.ts').matchAll(/'(--[^']+)'/g)].map(([, flag]) => flag!)
  expect(flags.length).toBeGreaterThan(0)
  expect(text('tooling/start/run.mjs')).toContain(`standby: [${flags.map((flag) => `'${flag}'`).join(', ')}]`)
  const [compose] = yaml('deploy/compose.yaml')
  const cluster = globSync('deploy/kubernetes/*.yaml', { cwd: root }).flatMap(yaml)
  const exchange = cluster.find(({ metadata, kind }) => kind === 'StatefulSet' && metadata.name === 'exchange')
  for (const command of [compose['x-exchange'].command, exchange.spec.template.spec.containers[0].command])
    expect(command).toEqual(['node', ...flags, 'apps/clob-server/src/standby.ts'])
  expect(image.command).toEqual(['node', ...flags, 'apps/clob-server/src/main.ts'])
})

/** A quantity of Kubernetes in bytes. */
const bytesOf = (quantity: string) => Number.parseInt(quantity, 10) * (quantity.endsWith('Gi') ? 2 ** 30 : 2 ** 20)

describe('the manifests of a cluster', () => {
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: root }).sort()
  const [kustomization] = yaml('deploy/kubernetes/kustomization.yaml')
  const objects = files.filter((path) => !path.endsWith('/kustomization.yaml')).flatMap(yaml)
  const named = (kind: string, name: string) => objects.find((each) => each.kind === kind && each.metadata.name === name)
  const data: Environment = named('ConfigMap', 'augury').data
  const programs = objects.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
  const jobs = objects.filter(({ kind }) => kind === 'Job')
  const byHand = objects.filter(({ kind }) => kind === 'CronJob')
  /** What makes pods, by its name. */
  const makers = [...programs, ...jobs, ...byHand.map(({ metadata, spec }) => ({ metadata, spec: spec.jobTemplate.spec }))]
  const secret: Environment = { ...env, ...DATABASES }

  test('are all in the kustomization, which names the image and its version', () => {
    expect([...kustomization.resources].sort()).toEqual(files.map((path) => basename(path)).filter((name) => name !== 'kustomization.yaml'))
    expect(kustomization.images).toMatchObject([{ name: 'augury', newTag: JSON.parse(text('package.json')).version }])
  })

  test('say only what some program reads, and no secret where all can read it', () => {
    expect(Object.keys(data).filter((name) => isSecret(name as Name))).toEqual([])
    const read = new Set(
      Object.values(PROGRAMS).flatMap(({ settings }) => Object.keys(settings({ ...image.environment, ...secret, ...data }))),
    )
    expect(Object.keys(data).filter((name) => !read.has(camel(name)))).toEqual([])
  })

  test.each(makers.map((object) => [object.metadata.name, object] as const))(
    '%s starts, may little, and is probed where it answers',
    (_, object) => {
      const { spec, metadata } = object.spec.template
      const [container] = spec.containers
      const program = programOf(container.command, container.workingDir)
      const said = (container.env ?? []) as { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[]
      const own = Object.fromEntries(said.map(({ name, value, valueFrom }) => [name, value ?? secret[valueFrom!.secretKeyRef.key] ?? null]))
      expect(container.envFrom).toEqual([{ configMapRef: { name: 'augury' } }])
      for (const { name, valueFrom } of said) {
        if (valueFrom) expect(valueFrom.secretKeyRef).toMatchObject({ name: 'augury', key: name })
        else expect(isSecret(name as Name)).toBe(false)
      }
      expectToStart(program, data, own)
      // With links a service called web, there before its pods, would tell them that WEB_PORT is tcp://10.0.0.1:3000.
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true },
      })
      expect(container.securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      })
      const mounts = (container.volumeMounts ?? []).map(({ name }: { name: string }) => name)
      const offered = [
        ...(spec.volumes ?? []),
        ...(object.spec.volumeClaimTemplates ?? []).map((claim: { metadata: object }) => claim.metadata),
      ]
      expect(mounts.filter((name: string) => !offered.some((each) => each.name === name))).toEqual([])
      if (object.spec.selector) expect(metadata.labels).toMatchObject(object.spec.selector.matchLabels)
      if (!program.port) return

      const given = { ...image.environment, ...secret, ...data, ...own }
      const ports: Record<string, number> = Object.fromEntries(
        container.ports.map((each: { name: string; containerPort: number }) => [each.name, each.containerPort]),
      )
      expect(ports.http).toBe(portOf(program.port, given))
      const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((kind) => container[kind]?.httpGet ?? [])
      expect(probes.length).toBeGreaterThan(0)
      for (const { path, port } of probes) expect([program.probes, ports[port]]).toEqual([expect.arrayContaining([path]), ports.http])
      const scraped = metadata.annotations?.['prometheus.io/port']
      expect(scraped).toBe(program.metrics && String(portOf(program.metrics, given)))
    },
  )

  test('no pod starts its program before the job of its database is done', () => {
    const migrations = jobs.map(({ spec }) => spec.template.spec.containers[0])
    for (const { kind, spec } of programs) {
      const { containers, initContainers } = spec.template.spec
      const [first, ...others] = initContainers ?? []
      expect([kind, others, first?.image]).toEqual([kind, [], containers[0].image])
      const { settings } = programOf(first.command)
      const [database] = first.env as { name: string }[]
      expect(() => settings({ ...image.environment, [database!.name]: secret[database!.name]! })).not.toThrow()
      expect(first.securityContext).toEqual(containers[0].securityContext)
      expect(containers[0].env).toContainEqual(database)
      const [, , name] = first.command
      expect(migrations.find(({ env }) => env.some((each: { name: string }) => each.name === database!.name)).command[2]).toBe(name)
    }
  })

  test('have every field that the schemas of Kubernetes ask for, and none that they do not know', () => {
    const folder = mkdtempSync(join(tmpdir(), 'augury-manifests-'))
    try {
      symlinkSync(join(root, 'tooling/tidy/node_modules'), join(folder, 'node_modules'))
      const typed = objects.map((object, n) => {
        const { apiVersion, kind } = object
        return `import type { I${kind} as K${n} } from 'kubernetes-models/${apiVersion}/${kind}'\nexport const o${n}: K${n} = ${JSON.stringify(object, null, 2)}\n`
      })
      writeFileSync(join(folder, 'manifests.ts'), typed.join(''))
      const tsc = join(root, 'node_modules/.bin/tsc')
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', '']
      expect(spawnSync(tsc, [...options, 'manifests.ts'], { cwd: folder, encoding: 'utf8' }).stdout).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('lead from the ingress to services, from services to pods, and from pods to claims that are there', () => {
    const pods = programs.map(({ spec }) => spec.template)
    for (const { metadata, spec } of objects.filter(({ kind }) => kind === 'Service')) {
      const behind = pods.filter(({ metadata: { labels } }) =>
        Object.entries(spec.selector).every(([name, value]) => labels[name] === value),
      )
      expect([metadata.name, behind.length]).toEqual([metadata.name, 1])
      for (const { port, targetPort = port } of spec.ports) {
        const ports = behind[0].spec.containers[0].ports as { name: string; containerPort: number }[]
        expect(ports.some(({ name, containerPort }) => name === targetPort || containerPort === targetPort)).toBe(true)
      }
    }
    const paths = named('Ingress', 'augury').spec.rules.flatMap(({ http }: { http: { paths: object[] } }) => http.paths)
    for (const { backend } of paths) {
      const { spec } = named('Service', backend.service.name)
      expect(spec.ports.map(({ name }: { name: string }) => name)).toContain(backend.service.port.name)
    }
    const { hostname, port } = new URL(data.CLOB_URL!)
    expect(named('Service', hostname).spec.ports).toMatchObject([{ port: Number(port) }])
    const hosts = named('Ingress', 'augury').spec.rules.map(({ host }: { host: string }) => `https://${host}`)
    expect(hosts).toEqual([data.ORIGIN, data.PUBLIC_CLOB_URL])
    const claims = pods.flatMap(({ spec }) => spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? [])
    expect(claims.filter((name) => !named('PersistentVolumeClaim', name))).toEqual([])
    const { scaleTargetRef } = named('HorizontalPodAutoscaler', 'web').spec
    expect(named(scaleTargetRef.kind, scaleTargetRef.name).spec.replicas).toBeUndefined() // an apply would undo what the scaler did
    expect(named('StatefulSet', named('StatefulSet', 'exchange').metadata.name).spec.serviceName).toBe('exchange-pods')
  })

  test('what is done by hand is never done by the clock, and sees a folder that the exchange has', () => {
    for (const { spec } of byHand) {
      expect([spec.suspend, spec.jobTemplate.spec.backoffLimit]).toEqual([true, 0])
      const { metadata, spec: exchange } = named('StatefulSet', 'exchange')
      const claims = exchange.volumeClaimTemplates.map(
        (claim: { metadata: { name: string } }) => `${claim.metadata.name}-${metadata.name}-0`,
      )
      const { volumes } = spec.jobTemplate.spec.template.spec
      expect(claims).toEqual(
        volumes.map((volume: { persistentVolumeClaim: { claimName: string } }) => volume.persistentVolumeClaim.claimName),
      )
    }
    expect(byHand.map(({ metadata }) => metadata.name)).toEqual(['accept-restored'])
  })

  test('ask for as much memory as the handbook says, which is more than was seen', () => {
    const handbook = text('docs/operations/deploy.md')
    const asked = programs.map(({ metadata, spec }) => {
      const { requests, limits } = spec.template.spec.containers[0].resources
      return [`\`${metadata.name}\``, requests.memory, limits.memory].join(' | ')
    })
    expect(asked.length).toBe(4)
    expect(asked.filter((row) => !handbook.includes(`| ${row} |`))).toEqual([])
    const [, seen] = /exchange [\d.]+ processors and (\d+) MiB/.exec(handbook)!
    const [, gibibytes] = /^\| `exchange` \| (\d+)Gi/m.exec(handbook)!
    expect(Number(seen)).toBeGreaterThan(100)
    expect(Number(gibibytes) * 1024).toBeGreaterThan(Number(seen) * 1.2)
  })

  test('end no program before its alert of memory was heard', () => {
    const rules = (yaml('deploy/observability/alerts.yaml')[0].groups as { rules: { alert: string; expr: string }[] }[]).flatMap(
      ({ rules }) => rules,
    )
    for (const [alert, figure, name] of [
      ['MemoryGrows', 'augury_writer', 'exchange'],
      ['WorkerMemoryGrows', 'augury_sync_lag_seconds', 'worker'],
    ]) {
      const { expr } = rules.find((rule) => rule.alert === alert)!
      expect(expr).toContain(`and on(instance) ${figure}`)
      const { requests, limits } = programs.find(({ metadata }) => metadata.name === name)!.spec.template.spec.containers[0].resources
      const above = [...expr.matchAll(/resident_memory_bytes > ([\de.]+)/g)].map(([, bytes]) => Number(bytes))
      expect(above.length).toBe(2)
      expect(Math.min(...above)).toBeGreaterThan(0.9 * bytesOf(requests.memory))
      expect(Math.max(...above)).toBeLessThan(0.85 * bytesOf(limits.memory))
    }
  })

  test('no rollout waits for a standby to be ready, which it never is', () => {
    const { spec } = named('StatefulSet', 'exchange')
    expect(spec.template.spec.containers[0].readinessProbe.httpGet.path).toBe('/readyz')
    expect(spec.updateStrategy).toEqual({ type: 'OnDelete' })
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels)
    expect(budgets).not.toContainEqual(spec.selector.matchLabels)
  })
})

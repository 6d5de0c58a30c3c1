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

describe('the manifests of a cluster', () => {
  const files = globSync('deploy/kubernetes/*.yaml', { cwd: root }).sort()
  const [kustomization] = yaml('deploy/kubernetes/kustomization.yaml')
  const objects = files.filter((path) => !path.endsWith('/kustomization.yaml')).flatMap(yaml)
  const named = (kind: string, name: string) => objects.find((each) => each.kind === kind && each.metadata.name === name)
  const data: Environment = named('ConfigMap', 'augury').data
  const workloads = objects.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
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

  test.each(workloads.map((object) => [object.metadata.name, object] as const))(
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
    const migrations = workloads.filter(({ kind }) => kind === 'Job').map(({ spec }) => spec.template.spec.containers[0])
    for (const { kind, spec } of workloads.filter(({ kind }) => kind !== 'Job')) {
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
    const pods = workloads.filter(({ kind }) => kind !== 'Job').map(({ spec }) => spec.template)
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

  test('no rollout waits for a standby to be ready, which it never is', () => {
    const { spec } = named('StatefulSet', 'exchange')
    expect(spec.template.spec.containers[0].readinessProbe.httpGet.path).toBe('/readyz')
    expect(spec.updateStrategy).toEqual({ type: 'OnDelete' })
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels)
    expect(budgets).not.toContainEqual(spec.selector.matchLabels)
  })
})

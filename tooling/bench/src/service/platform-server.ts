import { createServer } from 'node:http'
import { openSite } from '@augury/platform/site/site'
import { exactPaths } from '@augury/rest/exact-paths'
import { httpApp } from '@augury/rest/http'
import { platformRoutes } from '@augury/rest/platform'
import { getRequestListener } from '@hono/node-server'
import { platformSettings } from './platform-settings.ts'

// The platform's routes as the site's server carries them, without pages. The exchange is away: nothing here asks it. There are no rate limits,
// unless there is a Redis to keep it.
const [databaseUrl = '', port = '', dataDir = '', redisUrl] = process.argv.slice(2)
const settings = platformSettings(databaseUrl, dataDir)
const site = redisUrl ? await openSite({ ...settings, redisUrl }) : await openSite(settings, { budgets: { spend: async () => {} } })
const routes = platformRoutes({ site, onBug: (error) => console.error(error) })
const listener = getRequestListener(httpApp(routes).fetch)
const server = createServer(exactPaths(routes, listener))
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))

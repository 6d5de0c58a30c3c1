import { z } from 'zod'
import * as kind from './kinds.ts'

/** The default of a variable, by mode. `{NAME}` in a text is replaced by the value of that variable. */
export type Fallback =
  | { both: string } // in both modes
  | { sandbox: string; production: string }
  | { sandbox: string } // must be set in production
  | { made: true } // generated and kept in a sandbox's data folder; must be set in production
  | { made: true; production: null } // the same, and null in production
  | { none: true } // null

interface Variable {
  schema: z.ZodType<unknown, string>
  fallback: Fallback
  /** One or two sentences for operators. */
  docs: string
}

const row = <Schema extends z.ZodType<unknown, string>, F extends Fallback>(
  schema: Schema,
  fallback: F,
  docs: string,
): { schema: Schema; fallback: F; docs: string } => ({ schema, fallback, docs })

/** Every variable that Augury reads, in the order of the documentation. */
export const variables = {
  MODE: row(
    z.enum(['sandbox', 'production'], 'must be sandbox or production'),
    { both: 'sandbox' },
    'Sandbox: play money from a faucet, generated secrets, loopback only. Production: every secret must be set.',
  ),
  NODE_ENV: row(
    z.string(),
    { none: true },
    'A sandbox refuses to start with `production`, so that it is never exposed to the internet by accident.',
  ),
  SANDBOX_PUBLIC: row(
    kind.flag,
    { both: '0' },
    '1 lets a sandbox listen on other than loopback addresses, or run with NODE_ENV=production.',
  ),
  HOST: row(kind.host, { both: '127.0.0.1' }, 'Address that every server listens on.'),
  WEB_PORT: row(kind.port, { both: '3000' }, 'Port of the site.'),
  CLOB_PORT: row(kind.port, { both: '3001' }, 'Port of the order-book service.'),
  WORKER_PORT: row(kind.port, { both: '3002' }, 'Port of the sync worker, for its health and metrics.'),
  METRICS_PORT: row(
    kind.port,
    { none: true },
    'Port of a program’s metrics for Prometheus, at METRICS_HOST; none when unset. Two programs on one machine need two; the worker has its own.',
  ),
  METRICS_HOST: row(
    kind.host,
    { both: '127.0.0.1' },
    'Address that the metrics are served at; `0.0.0.0` in a container, where only the cluster’s network reaches the port.',
  ),
  STANDBY_PORT: row(
    kind.port,
    { both: '3003' },
    'Port of a standby of the order-book service. While it writes, the site and the worker of `npm start` ask it.',
  ),
  DRAIN_SECONDS: row(
    kind.seconds,
    { sandbox: '0', production: '3' },
    'Seconds for which a stopping program still serves while `/readyz` answers 503, so that a proxy in front can notice.',
  ),
  PG_PORT: row(kind.port, { both: '3005' }, 'Port of the PostgreSQL that `npm start` runs.'),
  DATA_DIR: row(
    kind.folder,
    { both: '.data' },
    'Folder for what is in no database: uploads, the exchange’s high-water mark of its journal, fault reports; with `npm start` also PostgreSQL, the secrets of a sandbox and the logs.',
  ),
  DATABASE_URL: row(
    kind.database,
    { sandbox: 'postgres://postgres@127.0.0.1:{PG_PORT}/platform' },
    'Database of the deployment, as `postgres://USER:PASSWORD@host/name`; `?sslmode=verify-full` asks for TLS.',
  ),
  CLOB_DATABASE_URL: row(
    kind.database,
    { sandbox: 'postgres://postgres@127.0.0.1:{PG_PORT}/clob' },
    'Database of the exchange, in the same form.',
  ),
  REDIS_URL: row(
    kind.url('redis', 'rediss'),
    { none: true },
    'Shared cache and limits of several web processes. Without it each process keeps its own.',
  ),
  ORIGIN: row(
    kind.origin,
    { sandbox: 'http://localhost:{WEB_PORT}' },
    'Public address of the site. Its host is the domain of wallet sign-in.',
  ),
  PASSKEY_RP_ID: row(
    kind.domain,
    { none: true },
    'Domain that passkeys are bound to (RP ID): the host of ORIGIN when unset, or a domain above it. Changing it makes every passkey unusable.',
  ),
  CLOB_URL: row(
    kind.url('http', 'https'),
    { both: 'http://127.0.0.1:{CLOB_PORT}' },
    'Address at which the site and the worker reach the order-book service.',
  ),
  PUBLIC_CLOB_URL: row(
    kind.url('http', 'https'),
    { sandbox: 'http://localhost:{CLOB_PORT}' },
    'Address at which browsers and bots reach the order-book service.',
  ),
  SITE_URL: row(
    kind.url('http', 'https'),
    { none: true },
    'Address at which the exchange reads the site: for comments and prices of series below `/compat`, which are not there when unset.',
  ),
  CHAIN_ID: row(kind.chainId, { both: '80002' }, 'Chain of the typed-data domains; one per exchange.'),
  CHAIN_NAME: row(kind.label, { none: true }, 'Name of the chain, for wallets that lack it. Known chains need none.'),
  CHAIN_PUBLIC_RPC: row(
    kind.url('http', 'https'),
    { none: true },
    'Public JSON-RPC address of the chain, which wallets that lack the chain get. Known chains need none; without one the chain is not offered.',
  ),
  CHAIN_EXPLORER: row(kind.url('http', 'https'), { none: true }, 'Address of a block explorer, for wallets that lack the chain.'),
  CHAIN_COIN: row(kind.label, { none: true }, 'Symbol of the coin that pays for gas, of 18 decimals, for wallets that lack the chain.'),
  WALLETCONNECT_PROJECT_ID: row(
    kind.projectId,
    { none: true },
    'Project id of WalletConnect, 32 hex digits, with which wallets on phones can be chosen. Public. The setting of the admin area comes before it; without either nothing of WalletConnect is loaded.',
  ),
  COMPAT_AUTH: row(
    kind.flag,
    { sandbox: '1', production: '0' },
    '1 also accepts signatures over the typed-data domains of the established dialect, so that unmodified clients work.',
  ),
  KEY_RING: row(
    kind.keyRing,
    { made: true },
    'Keys that encrypt stored credentials: `id:64 hex digits`, comma-separated; the first encrypts, all decrypt. Without it they are lost: back it up.',
  ),
  API_KEY_SECRET: row(kind.secret, { made: true }, 'Secret from which the exchange derives API credentials. At least 32 bytes.'),
  PROOF_KEY_RING: row(
    kind.seeds,
    { made: true },
    'Keys that sign the hourly roots of the state: 64 hex digits each, comma-separated; the first signs, and the next ones vouch for it when it is new.',
  ),
  PROOF_EVERY: row(
    kind.seconds,
    { sandbox: '60', production: '3600' },
    'Seconds of engine time between two signed roots of the state; 0 for none.',
  ),
  SCHEDULER_SECRET: row(kind.secret, { made: true }, 'Bearer token of the routes under /api/sync. At least 32 bytes.'),
  PLATFORM_WALLET_KEY: row(
    kind.walletKey,
    { made: true },
    "Private key of the deployment's own wallet, which registers conditions and relays for its members.",
  ),
  ADMIN_WALLETS: row(kind.addresses, { both: '' }, 'Wallets that are admins of the deployment from their first sign-in.'),
  VENUE_ADDRESSES: row(
    kind.addresses,
    { sandbox: '{PLATFORM_WALLET_ADDRESS}', production: '' },
    'Wallets that may create API keys of scope venue: pause, deposits, withdrawals, bans, tiers.',
  ),
  OPERATOR_ADDRESSES: row(
    kind.addresses,
    { sandbox: '{PLATFORM_WALLET_ADDRESS}', production: '' },
    'Wallets that may create API keys of scope operator: conditions of their own.',
  ),
  TRUSTED_PROXIES: row(kind.networks, { both: '' }, 'Proxies whose X-Forwarded-For is trusted: addresses and ranges.'),
  RPC_URL: row(
    kind.url('http', 'https'),
    { none: true },
    'JSON-RPC address of a node of the chain, for contract wallets. Site and worker check that it serves CHAIN_ID.',
  ),
  SECOND_RPC_URL: row(
    kind.url('http', 'https'),
    { none: true },
    'A node of another provider. Above AGREE_ABOVE the settler believes only what both say.',
  ),
  SETTLEMENT: row(
    z.enum(['ledger', 'chain'], 'must be ledger or chain'),
    { none: true },
    'How money comes and goes. `chain`: through the vault of VAULT_ADDRESS, by a settler. `ledger` or unset: an operator credits deposits and pays withdrawals by hand, and the site shows no deposit address. `npm start` decides by itself when unset.',
  ),
  VAULT_ADDRESS: row(kind.address, { none: true }, 'The vault that holds members’ money on the chain.'),
  COLLATERAL_ADDRESS: row(kind.address, { none: true }, 'The USDC that the vault takes: an ERC-20 of 6 decimals.'),
  CONFIRMATIONS: row(
    kind.blocks,
    { sandbox: '0', production: '64' },
    'Blocks on top of one that count it as confirmed: before that, no deposit is credited and no payment is believed.',
  ),
  WAIT_FOR_FINALIZED: row(
    kind.flag,
    { both: '0' },
    '1 also waits for the chain’s `finalized` block. It may stall for minutes; deposits wait as long.',
  ),
  AGREE_ABOVE: row(kind.usdc, { both: '0' }, 'USDC above which SECOND_RPC_URL must agree before money is credited or a root is posted.'),
  MIN_DEPOSIT: row(kind.usdc, { both: '1' }, 'Least deposit in USDC that the site asks for. The vault has a limit of its own.'),
  FEE_PAYOUT_MIN: row(
    kind.usdc,
    { both: '100' },
    'Fees in USDC from which the settler pays the fee recipient out through the vault, once a day. 0 leaves them in the recipient’s account.',
  ),
  WITHDRAW_DAILY_LIMIT: row(
    kind.usdc,
    { both: '100000' },
    'USDC that the vault pays in 24 hours, for `npm run deploy-contracts` and a sandbox. Later the vault’s timelock raises it and its guardian lowers it.',
  ),
  WITHDRAW_TWO_ADMINS_ABOVE: row(
    kind.usdc,
    { both: '0' },
    'USDC above which a withdrawal waits until two independent admins have approved it, in admin *Withdrawals*. 0: none does. Two of ADMIN_WALLETS are needed.',
  ),
  SETTLER_PORT: row(kind.port, { both: '3004' }, 'Port of the settler, for its health and metrics.'),
  SETTLER_KEY: row(
    kind.walletKey,
    { made: true, production: null },
    'Private key of the vault’s operator: the settler signs payments and roots with it. The settler’s machine has the only copy. SIGNER_URL instead keeps it outside.',
  ),
  SETTLER_WALLET_KEY: row(
    kind.walletKey,
    { sandbox: '{PLATFORM_WALLET_KEY}' },
    'Private key of the wallet with which the settler asks the exchange, one of VENUE_ADDRESSES. It needs no money.',
  ),
  SIGNER_URL: row(
    kind.url('http', 'https'),
    { none: true },
    'Remote signer (the API of Web3Signer) that holds the operator’s key, with SIGNER_ADDRESS.',
  ),
  SIGNER_ADDRESS: row(kind.address, { none: true }, 'Address of the key behind SIGNER_URL.'),
  ANVIL_PORT: row(kind.port, { both: '3006' }, 'Port of the local chain that `npm start` runs in a sandbox.'),
  DEPLOYER_KEY: row(
    kind.walletKey,
    { none: true },
    'Private key that pays for `npm run deploy-contracts`; a file, `--key-file`, is better.',
  ),
  OPENROUTER_URL: row(
    kind.url('http', 'https'),
    { both: 'https://openrouter.ai/api/v1' },
    'Address of the model provider of the market writer in admin.',
  ),
  SWAP_URL: row(
    kind.url('http', 'https'),
    { both: 'https://li.quest/v1' },
    'Address of the service that quotes swaps and bridges for deposits. Used once an admin configures an integrator.',
  ),
  ORACLE_A: row(
    kind.oracle,
    { sandbox: 'simulated', production: 'none' },
    'First source of reference prices: `none`, `simulated` (sandboxes only), `candles:` and an address with places for `{symbol}`, `{interval}`, `{start}` and `{end}`, or `updates:` and the address of an oracle.',
  ),
  ORACLE_A_KEY: row(z.string(), { none: true }, 'Key for the first source, sent as a bearer token.'),
  ORACLE_B: row(kind.oracle, { sandbox: 'simulated', production: 'none' }, 'Second source, in the same form; both are compared.'),
  ORACLE_B_KEY: row(z.string(), { none: true }, 'Key for the second source.'),
  UPLOADS_URL: row(
    kind.url('http', 'https'),
    { none: true },
    'Bucket of an S3-compatible store for uploaded images: `https://KEY:SECRET@host/bucket?region=…`. Without it they are in DATA_DIR, which several web processes then have to share.',
  ),
  SMTP_URL: row(
    kind.url('smtp', 'smtps'),
    { none: true },
    'Server for the site’s e-mail: `smtps://USER:PASSWORD@host`, or `smtp://` with STARTTLS, which production requires. Without it addresses of members stay unverified.',
  ),
  MAIL_FROM: row(kind.mailbox, { none: true }, 'Sender of the e-mail; `no-reply@` and the host of ORIGIN when unset.'),
  REQUIRE_PROXY_WALLET: row(
    kind.flag,
    { sandbox: '0', production: '1' },
    '1 refuses orders until a proxy wallet is registered for the account, which members sign for when they enable trading.',
  ),
  AUGURY_URL: row(kind.url('http', 'https'), { both: '{CLOB_URL}' }, 'Command line: the exchange to talk to.'),
  AUGURY_ADDRESS: row(kind.address, { none: true }, 'Command line: account of the API key.'),
  AUGURY_API_KEY: row(z.string(), { none: true }, 'Command line: id of the API key, with AUGURY_API_SECRET and AUGURY_API_PASSPHRASE.'),
  AUGURY_API_SECRET: row(z.string(), { none: true }, 'Command line: secret of the API key.'),
  AUGURY_API_PASSPHRASE: row(z.string(), { none: true }, 'Command line: passphrase of the API key.'),
  AUGURY_WALLET_KEY: row(kind.walletKey, { none: true }, 'Command line: private key of the wallet whose API key is used or logged in.'),
  AUGURY_KEY_FILE: row(kind.folder, { none: true }, 'Command line: the encrypted key file; `~/.config/augury/key.json` unless set.'),
  AUGURY_PASSPHRASE: row(z.string(), { none: true }, 'Command line: opens the key file; asked for when unset.'),
  AUGURY_RPC_URL: row(kind.url('http', 'https'), { none: true }, 'Command line: a JSON-RPC node of the chain on which the vault is.'),
  LOG_LEVEL: row(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], 'must be trace, debug, info, warn, error or fatal'),
    { both: 'info' },
    'Least severe log lines that are written.',
  ),
} satisfies Record<string, Variable>

/** Name of a variable. */
export type Name = keyof typeof variables

/** Type of a variable's parsed value; null only where it may stay unset. */
export type Value<N extends Name> =
  | z.output<(typeof variables)[N]['schema']>
  | ((typeof variables)[N]['fallback'] extends { none: true } | { production: null } ? null : never)

/** Whether a variable is or may contain a credential: it is never printed, and no program gets one that it does not use. */
export const isSecret = (name: Name): boolean =>
  /(_KEY|_SECRET|_PASSPHRASE|KEY_RING|DATABASE_URL|UPLOADS_URL|SMTP_URL|REDIS_URL|RPC_URL|SIGNER_URL)$/.test(name)

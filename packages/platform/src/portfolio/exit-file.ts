import type { ExitFile } from '@augury/wire/exit-file'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import type { Member } from '../authorization/viewer.ts'
import { placeOf } from '../chain/place.ts'
import type { Site } from '../site/site.ts'
import { getOwnProof } from './funds.ts'

/**
 * What a member keeps to leave without the exchange: their salt, and what they had at the newest root with its paths. Throws `no_chain`,
 * `trading_not_enabled`, and `not_found` before the exchange has signed a root.
 */
export async function getExitFile(site: Site, member: Member): Promise<ExitFile> {
  const place = await placeOf(site)
  if (!place) throw new ServiceError('no_chain')
  const { root, salt, assets } = await getOwnProof(site, member)
  const { chain_id: id, network: name, rpc_url, vault, collateral, deposit_factory } = place
  return {
    kind: 'augury exit file',
    version: 1,
    made_at: site.now().toISOString(),
    exchange: site.settings.publicClobUrl,
    chain: { id, name, rpc_url, vault, collateral, deposit_factory },
    account: getAddress(member.address),
    stream: root.stream,
    salt,
    proof: { root, assets },
  }
}

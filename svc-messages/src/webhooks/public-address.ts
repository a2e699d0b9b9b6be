import { lookup } from 'node:dns/promises';
import { ProblemError } from '@clinic/service-kit';
import ipaddr from 'ipaddr.js';

/**
 * Rejects an address outside the public internet, which could make us call the clinic's own machines. A name may
 * resolve differently later, so each connection is checked again.
 *
 * @throws ProblemError validation_failed
 */
export async function assertPublicAddress(url: string): Promise<void> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') throw invalid('The address must begin with https://');
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.length === 0) throw invalid('We can’t find this address');
  if (!found.every(({ address }) => isPublic(address))) throw invalid('This address isn’t on the public internet');
}

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast';

const invalid = (message: string): ProblemError =>
  new ProblemError('validation_failed', { detail: `${message}.`, errors: [{ field: 'url', message }] });

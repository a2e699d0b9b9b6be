import { raised } from '@clinic/contracts/testing/raised-contract';
import type { LoaderContext } from 'webpack';

/** Builds the contracts as the release after this one would have them, with the contract raised by one. */
export default function nextContractLoader(this: Pick<LoaderContext<unknown>, 'resourcePath'>, source: string): string {
  return raised(this.resourcePath, source);
}

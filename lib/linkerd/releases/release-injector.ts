import { type Injector, injectorOf } from '../../../operator/api/injection/injector';
import { releaseFacts } from './linkerd/release-facts';
import type { Release } from './release';

/** Returns the proxy injector of a release: that of the known one which it is, or is taken for. */
export function releaseInjector({ like }: Release): Injector {
  return injectorOf(releaseFacts(like)?.version);
}

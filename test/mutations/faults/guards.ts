import { GUARDS, WITHOUT_GUARD } from '#anchor/check/guards';
import type { Fault } from '../fault';

/** Removes each guard of a rotation. */
export const guards: readonly Fault[] = GUARDS.map((guard) => ({ ...WITHOUT_GUARD[guard], why: `without ${guard}` }));

import { adoptedFacts } from './adopted';
import { announcedFacts } from './announced';
import { bridgedFacts } from './bridged';
import { leavesTurnedFacts } from './leaves-turned';
import { mintedFacts } from './minted';
import { type Retired, retiredFacts } from './retired';
import { returnedFacts } from './returned';
import type { Rotating } from './rotating';
import { signingFacts } from './signing';

/** The facts of all steps of a rotation, with the record of this look. */
export type Progress = Retired;

/** Returns how far a rotation is: the facts of each step, from the observation and the steps before. */
export function progressOf(rotating: Rotating): Progress {
  const minted = mintedFacts(rotating);
  const announced = announcedFacts(minted);
  const bridged = bridgedFacts(announced);
  const adopted = adoptedFacts(bridged);
  const signing = signingFacts(adopted);
  const turned = leavesTurnedFacts(signing);
  const returned = returnedFacts(turned);
  const retired = retiredFacts(returned);
  return { ...retired, rotation: retired.record };
}

import { entriesOf } from '../../operator/api/kubernetes/catalogue';
import { ROTATION } from '../constructs/rotation/findings';

/** All findings of the library, by the folder whose rules make them. */
export const CATALOGUE = [ROTATION].flatMap((one) => entriesOf(one));

import { entriesOf } from '../../operator/api/kubernetes/catalogue';
import { PKI_FINDINGS } from '../constructs/pki/findings';
import { ROTATION } from '../constructs/rotation/findings';

/** All findings of the library, by the folder whose rules make them. */
export const CATALOGUE = [PKI_FINDINGS, ROTATION].flatMap((one) => entriesOf(one));

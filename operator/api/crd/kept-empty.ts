import type { ValidationRule } from './structural-schema';

/** Values that must stay empty, by their key at any depth, and the reason. */
export const KEPT_EMPTY: Readonly<Record<string, ValidationRule>> = {
  keyPEM: {
    rule: 'self.size() == 0',
    message: 'must not hold a private key, which every reader of this object would have: leave the key to cert-manager',
  },
  caBundle: {
    rule: 'self.size() == 0',
    message: "a webhook's caBundle is written by cert-manager's CA injector: leave it out",
  },
};

/** Keys of values that a LinkerdConfig may not set: private keys, and values that cert-manager fills in. */
export const KEPT_EMPTY_KEYS: readonly string[] = Object.keys(KEPT_EMPTY);

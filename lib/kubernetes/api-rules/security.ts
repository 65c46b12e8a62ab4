import { all, type Check, fields, has, listIn, object, objectIn, own, REFUSES } from './check';
import type { RuleTable } from './rule-table';
import { oneOf, pathBelow, userId } from './scalars';

const localhostProfile = (what: string): Check =>
  object((profile, findings) => {
    const isLocal = own(profile, 'type') === 'Localhost';
    if (isLocal === has(profile, 'localhostProfile')) return;
    findings.refuseWhole({
      code: 'profile-name-refused',
      says: isLocal ? 'is of type Localhost, without a localhostProfile' : 'has a localhostProfile, and another type',
      why: `${REFUSES}: the ${what} profile of a node has a name, the others have none`,
      fix: isLocal ? 'name the localhostProfile' : 'set type: Localhost, or remove the profile',
    });
  });

/** Rules of what containers are allowed to do. */
export const SECURITY_RULES: RuleTable = {
  SecurityContext: all(
    fields({ runAsUser: userId, runAsGroup: userId, procMount: oneOf('Default', 'Unmasked') }),
    object((context, findings) => {
      if (own(context, 'allowPrivilegeEscalation') !== false) return;
      const adds = listIn(objectIn(context, 'capabilities'), 'add');
      const has =
        own(context, 'privileged') === true
          ? 'privileged: true'
          : adds.includes('CAP_SYS_ADMIN')
            ? 'CAP_SYS_ADMIN'
            : undefined;
      if (has === undefined) return;
      findings.refuseWhole({
        code: 'privilege-contradicted',
        says: `has allowPrivilegeEscalation: false and ${has}`,
        why: `${REFUSES}: there is nothing left to escalate to`,
        fix: `remove ${has}`,
      });
    }),
  ),
  SeccompProfile: all(fields({ localhostProfile: pathBelow }), localhostProfile('seccomp')),
  AppArmorProfile: all(
    fields({ type: oneOf('Localhost', 'RuntimeDefault', 'Unconfined') }),
    localhostProfile('AppArmor'),
    object((profile, findings) => {
      const name = own(profile, 'localhostProfile');
      if (own(profile, 'type') !== 'Localhost' || typeof name !== 'string') return;
      if (name === '' || name !== name.trim() || name.length > 4095) {
        findings.refuseValue(
          name,
          `${REFUSES}: it names a profile, without white space around`,
          'write the name',
          'localhostProfile',
        );
      }
    }),
  ),
};

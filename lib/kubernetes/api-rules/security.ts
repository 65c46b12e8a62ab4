import { all, type Check, fields, forbidden, has, invalid, listIn, object, objectIn, own, required } from './check';
import type { RuleTable } from './rule-table';
import { oneOf, pathBelow, userId } from './scalars';

const localhostProfile = (what: string): Check =>
  object((profile, findings) => {
    const isLocal = own(profile, 'type') === 'Localhost';
    if (isLocal === has(profile, 'localhostProfile')) return;
    findings.refuseWhole(
      isLocal
        ? required('localhostProfile', 'type is Localhost', `name the ${what} profile of the node`)
        : forbidden('only type: Localhost has it', 'set type: Localhost, or remove it'),
      ...(isLocal ? [] : ['localhostProfile']),
    );
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
      findings.refuseWhole(
        invalid(false, `${has} is set, which already allows everything`, `remove ${has}`),
        'allowPrivilegeEscalation',
      );
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
        findings.refuse(
          invalid(name, 'it must be the name of a profile, without white space around it', 'write the name'),
          'localhostProfile',
        );
      }
    }),
  ),
};

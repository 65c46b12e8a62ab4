/**
 * The options and subcommands of a command that the documentation uses, as in the help of the program. Values of
 * options are not checked.
 */
export interface KnownCommand {
  readonly options?: readonly string[];
  readonly subcommands?: Readonly<Record<string, KnownCommand>>;
}

/** The programs that the documentation uses, except kubectl, which is checked by its own parser. */
export const KNOWN_COMMANDS: Readonly<Record<string, KnownCommand>> = {
  awk: { options: ['-v'] },
  base64: { options: ['-d'] },
  buildah: { subcommands: { bud: { options: ['-f', '-t', '--build-arg'] } } },
  cd: {},
  cmctl: { subcommands: { renew: { options: ['-n'] }, status: { subcommands: { certificate: { options: ['-n'] } } } } },
  cosign: { subcommands: { verify: { options: ['--certificate-identity-regexp', '--certificate-oidc-issuer'] } } },
  cp: { options: ['-R'] },
  crane: { subcommands: { copy: {} } },
  date: { options: ['-u'] },
  diff: { options: ['--ignore-blank-lines'] },
  docker: { subcommands: { build: { options: ['-f', '-t'] } } },
  echo: {},
  export: {},
  git: {
    subcommands: {
      add: {},
      commit: { options: ['-m', '-q'] },
      config: {},
      fetch: { options: ['--prune'] },
      init: { options: ['-b'] },
      push: { options: ['--set-upstream'] },
      remote: { subcommands: { add: {} } },
      switch: { options: ['-c'] },
    },
  },
  grep: { options: ['-c', '-E', '-v'] },
  helm: {
    subcommands: {
      get: { subcommands: { values: { options: ['--namespace', '-o'] } } },
      install: { options: ['--namespace', '--create-namespace', '--take-ownership'] },
      list: { options: ['--all-namespaces', '--filter'] },
      pull: { options: ['--version', '--destination', '--repo'] },
      push: {},
      rollback: { options: ['--namespace'] },
      template: { options: ['--namespace', '--dependency-update'] },
    },
  },
  linkerd: {
    options: ['--context'],
    subcommands: {
      check: { options: ['-n', '--proxy'] },
      diagnostics: { subcommands: { policy: { options: ['-n'] } } },
      multicluster: { subcommands: { gateways: {}, 'link-gen': { options: ['--cluster-name'] } } },
      upgrade: {},
      viz: { subcommands: { check: {}, install: { options: ['-f'] }, stat: { options: ['-n'] } } },
    },
  },
  kind: { subcommands: { create: { subcommands: { cluster: { options: ['--name'] } } } } },
  kustomize: { subcommands: { build: {} } },
  mkdir: {},
  mktemp: { options: ['-d'] },
  node: { options: ['--version'] },
  openssl: { subcommands: { x509: { options: ['-noout', '-enddate'] } } },
  read: { options: ['-r'] },
  rm: { options: ['-r'] },
  sed: { options: ['-i.bak'] },
  sha256sum: {},
  sort: {},
  tar: { options: ['-x', '-z', '-f'] },
  test: { options: ['-n', '-eq'] },
  uniq: { options: ['-c'] },
};

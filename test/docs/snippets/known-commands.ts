/**
 * Options of one command, and its subcommands by name: facts about programs of others, as their own help lists them.
 * What takes a value is written with it or before it, which is not looked at.
 */
export interface KnownCommand {
  readonly options?: readonly string[];
  readonly subcommands?: Readonly<Record<string, KnownCommand>>;
}

const KUBE = ['-n', '--namespace', '--context', '--kubeconfig'];
const OUTPUT = ['-o', '--output'];
/** Options of Helm for the render of a release. */
const RELEASE = [...KUBE, '-f', '--values', '--set', '--set-file', '--version'];

/** The programs of others that the documentation calls, kubectl aside, whose own parser is asked. */
export const KNOWN_COMMANDS: Readonly<Record<string, KnownCommand>> = {
  argocd: {
    subcommands: {
      app: {
        subcommands: {
          delete: { options: ['--cascade', '--yes', '-y'] },
          diff: { options: ['--revision', '--refresh', '--server-side-diff'] },
          get: { options: ['--refresh', '--hard-refresh', '--show-operation', ...OUTPUT] },
          list: { options: ['-l', '--selector', '-p', '--project', ...OUTPUT] },
          manifests: { options: ['--revision', '--source'] },
          resources: { options: ['--orphaned', ...OUTPUT] },
          set: { options: ['--sync-policy', '--auto-prune', '--self-heal', '--revision'] },
          sync: {
            options: ['--dry-run', '--prune', '--resource', '--revision', '--server-side', '--force', '--timeout'],
          },
          'terminate-op': {},
          wait: { options: ['--health', '--sync', '--operation', '--timeout'] },
        },
      },
      appset: {
        subcommands: {
          create: { options: ['--dry-run', '--upsert', ...OUTPUT] },
          get: { options: OUTPUT },
          list: { options: OUTPUT },
        },
      },
      cluster: { subcommands: { add: { options: ['--name', '--label', '--yes', '-y'] }, list: { options: OUTPUT } } },
      login: { options: ['--username', '--sso', '--grpc-web', '--core'] },
      proj: { subcommands: { get: { options: OUTPUT }, list: { options: OUTPUT } } },
      repo: { subcommands: { add: { options: ['--ssh-private-key-path', '--username'] }, list: { options: OUTPUT } } },
    },
  },
  awk: { options: ['-F', '-v'] },
  base64: { options: ['-d', '--decode', '-w'] },
  buildah: { subcommands: { bud: { options: ['-f', '-t', '--build-arg', '--platform'] } } },
  cat: {},
  cd: {},
  cmctl: {
    subcommands: {
      check: { subcommands: { api: { options: ['--wait'] } } },
      inspect: { subcommands: { secret: { options: KUBE } } },
      renew: { options: [...KUBE, '--all', '-l', '--selector', '-A', '--all-namespaces'] },
      status: { subcommands: { certificate: { options: KUBE }, certificaterequest: { options: KUBE } } },
      version: { options: OUTPUT },
    },
  },
  cosign: {
    subcommands: {
      verify: {
        options: ['--certificate-identity', '--certificate-identity-regexp', '--certificate-oidc-issuer', '--key'],
      },
    },
  },
  cp: { options: ['-r', '-R'] },
  crane: { subcommands: { copy: { options: ['--platform'] }, digest: {}, manifest: {} } },
  curl: {
    options: [
      '-f',
      '-s',
      '-S',
      '-L',
      '-o',
      '-O',
      '-H',
      '-k',
      '--cacert',
      '--fail',
      '--location',
      '--output',
      '--silent',
    ],
  },
  cut: { options: ['-d', '-f'] },
  date: { options: ['-u', '-d'] },
  diff: { options: ['-r', '-u', '-q', '--ignore-blank-lines'] },
  docker: {
    subcommands: {
      build: { options: ['-f', '-t', '--build-arg', '--platform', '--push'] },
      pull: { options: ['--platform'] },
      push: {},
      run: { options: ['--rm', '-i', '-t', '-v', '-w', '-e', '--network', '--entrypoint', '-u'] },
      tag: {},
    },
  },
  echo: { options: ['-n'] },
  exit: {},
  export: {},
  git: {
    subcommands: {
      add: { options: ['-A', '-p'] },
      archive: { options: ['--format', '-o'] },
      checkout: { options: ['-b', '--'] },
      clone: { options: ['--depth', '--branch', '-b'] },
      commit: { options: ['-m', '-a', '--amend', '-q', '--allow-empty'] },
      config: { options: ['--global'] },
      diff: { options: ['--exit-code', '--stat', '--name-only', '--quiet', '--cached', '--'] },
      fetch: { options: ['--depth', '--tags', '--unshallow', '--prune'] },
      init: { options: ['-b', '--bare', '-q'] },
      log: { options: ['--oneline', '-n', '-p', '--'] },
      merge: { options: ['--ff-only', '--no-ff'] },
      pull: { options: ['--rebase', '--ff-only'] },
      push: { options: ['-u', '--tags', '--set-upstream'] },
      remote: { subcommands: { add: {} } },
      revert: { options: ['--no-edit', '-m'] },
      'rev-parse': { options: ['--short', '--verify'] },
      show: { options: ['--stat'] },
      status: { options: ['--porcelain', '--short'] },
      switch: { options: ['-c', '--create'] },
      tag: { options: ['-a', '-m', '-s', '-f'] },
    },
  },
  grep: { options: ['-A', '-B', '-c', '-E', '-h', '-i', '-l', '-n', '-o', '-q', '-r', '-v', '-w', '-F'] },
  head: { options: ['-n', '-c'] },
  helm: {
    subcommands: {
      get: {
        subcommands: {
          manifest: { options: [...KUBE, '--revision'] },
          values: { options: [...KUBE, ...OUTPUT, '-a', '--all', '--revision'] },
        },
      },
      history: { options: [...KUBE, ...OUTPUT, '--max'] },
      install: {
        options: [...RELEASE, '--create-namespace', '--wait', '--dry-run'],
      },
      list: { options: [...KUBE, ...OUTPUT, '-A', '--all-namespaces', '-a', '--filter'] },
      pull: { options: ['--version', '--untar', '--untardir', '-d', '--destination', '--repo', '--verify'] },
      push: {},
      repo: { subcommands: { add: {}, update: {}, list: { options: OUTPUT } } },
      rollback: { options: KUBE },
      search: { subcommands: { repo: { options: ['--versions', '-l', '--version', '--devel'] } } },
      show: {
        subcommands: { values: { options: ['--version', '--repo'] }, chart: { options: ['--version', '--repo'] } },
      },
      template: {
        options: [...RELEASE, '--repo', '--include-crds', '--dependency-update'],
      },
      uninstall: { options: [...KUBE, '--keep-history', '--dry-run'] },
      upgrade: {
        options: [...RELEASE, '-i', '--install', '--wait', '--reuse-values', '--dry-run'],
      },
    },
  },
  jq: { options: ['-r', '-c', '-e', '-s', '-n', '--arg', '--raw-output'] },
  linkerd: {
    options: ['-L', '--linkerd-namespace', '--context', '--kubeconfig'],
    subcommands: {
      authz: { options: [...KUBE, ...OUTPUT] },
      check: {
        options: [
          ...KUBE,
          ...OUTPUT,
          '--pre',
          '--proxy',
          '--crds',
          '--wait',
          '--cni-namespace',
          '--linkerd-cni-enabled',
        ],
      },
      diagnostics: {
        subcommands: {
          endpoints: { options: [...OUTPUT, '--destination-pod', '--token'] },
          policy: { options: [...KUBE, ...OUTPUT] },
          'proxy-metrics': { options: [...KUBE, '--obfuscate', '--wait'] },
          'controller-metrics': { options: ['-w', '--wait'] },
        },
      },
      identity: { options: [...KUBE, '-l', '--selector'] },
      inject: { options: ['--manual', '--ingress'] },
      install: { options: ['--crds', '--set', '-f', '--values', '--ha', ...OUTPUT] },
      'install-cni': { options: ['--set', '-f', '--values'] },
      multicluster: {
        subcommands: {
          check: { options: ['--timeout', ...OUTPUT] },
          gateways: { options: ['--cluster-name', ...OUTPUT] },
          install: { options: ['--set', '-f', '--values', '--gateway'] },
          link: { options: ['--cluster-name', '--gateway-addresses', '--set'] },
          'link-gen': { options: ['--cluster-name', '--gateway-addresses', '--set'] },
          unlink: { options: ['--cluster-name'] },
        },
      },
      prune: { options: OUTPUT },
      uninject: {},
      uninstall: { options: ['--force', ...OUTPUT] },
      upgrade: { options: ['--crds', '--set', '-f', '--values', ...OUTPUT] },
      version: { options: ['--client', '--short', '--proxy', ...KUBE] },
      viz: {
        subcommands: {
          check: { options: ['--proxy', ...KUBE, ...OUTPUT] },
          dashboard: { options: ['--port', '--show', '--address'] },
          edges: { options: [...KUBE, ...OUTPUT, '-A', '--all-namespaces'] },
          install: { options: ['--set', '-f', '--values', '--ha'] },
          stat: { options: [...KUBE, ...OUTPUT, '-A', '--all-namespaces', '-t', '--to', '--from', '-l', '--selector'] },
          tap: { options: [...KUBE, ...OUTPUT, '--to', '--path', '--method'] },
          top: { options: [...KUBE, '--to', '--path'] },
        },
      },
    },
  },
  kind: { subcommands: { create: { subcommands: { cluster: { options: ['--name'] } } } } },
  k3d: { subcommands: { cluster: { subcommands: { create: {} } } } },
  ls: { options: ['-l', '-a', '-R', '-1'] },
  mkdir: { options: ['-p'] },
  mktemp: { options: ['-d'] },
  mv: {},
  node: { options: ['--version', '-e', '-p'] },
  oc: {
    subcommands: {
      adm: { subcommands: { policy: { subcommands: { 'add-scc-to-user': { options: ['-z', ...KUBE] } } } } },
      get: { options: [...KUBE, ...OUTPUT, '-l', '-A'] },
      whoami: { options: ['-t'] },
    },
  },
  openssl: {
    subcommands: {
      crl2pkcs7: { options: ['-nocrl', '-certfile', '-out'] },
      ec: { options: ['-in', '-out', '-noout', '-text'] },
      genpkey: { options: ['-algorithm', '-pkeyopt', '-out'] },
      pkcs7: { options: ['-print_certs', '-noout', '-text'] },
      req: {
        options: [
          '-x509',
          '-new',
          '-newkey',
          '-key',
          '-nodes',
          '-days',
          '-subj',
          '-addext',
          '-out',
          '-in',
          '-sha256',
          '-keyout',
          '-pkeyopt',
        ],
      },
      s_client: { options: ['-connect', '-servername', '-showcerts', '-CAfile'] },
      sha256: { options: [] },
      storeutl: { options: ['-certs', '-noout', '-text'] },
      verify: { options: ['-CAfile', '-untrusted', '-partial_chain', '-show_chain'] },
      x509: {
        options: [
          '-in',
          '-out',
          '-noout',
          '-text',
          '-enddate',
          '-startdate',
          '-dates',
          '-subject',
          '-issuer',
          '-fingerprint',
          '-sha256',
          '-pubkey',
          '-serial',
          '-ext',
          '-checkend',
          '-outform',
          '-inform',
          '-req',
        ],
      },
    },
  },
  podman: { subcommands: { build: { options: ['-f', '-t', '--build-arg'] }, push: {} } },
  read: { options: ['-r'] },
  rm: { options: ['-r', '-f'] },
  sed: { options: ['-n', '-e', '-i', '-i.bak', '-E'] },
  sha256sum: { options: ['-c'] },
  skopeo: {
    subcommands: { copy: { options: ['--all', '--format', '--preserve-digests'] }, inspect: { options: ['--format'] } },
  },
  sleep: {},
  sort: { options: ['-u', '-r', '-n', '-k', '-t', '-h'] },
  step: {
    subcommands: {
      certificate: {
        subcommands: {
          create: {
            options: [
              '--profile',
              '--ca',
              '--ca-key',
              '--no-password',
              '--insecure',
              '--not-after',
              '--kty',
              '--curve',
            ],
          },
          inspect: { options: ['--short', '--format', '--bundle'] },
        },
      },
    },
  },
  tail: { options: ['-n', '-f'] },
  tar: { options: ['-x', '-z', '-c', '-f', '-C', '-t'] },
  tee: { options: ['-a'] },
  test: { options: ['-f', '-d', '-z', '-n', '-eq'] },
  tr: { options: ['-d', '-s'] },
  uniq: { options: ['-c'] },
  vault: {
    subcommands: {
      read: { options: ['-field', '-format'] },
      secrets: { subcommands: { enable: { options: ['-path'] }, tune: { options: ['-max-lease-ttl'] } } },
      write: { options: ['-field', '-format'] },
    },
  },
  wc: { options: ['-l', '-c', '-w'] },
  xargs: { options: ['-n', '-r', '-I', '-0', '-P'] },
  yq: { options: ['-r', '-i', '-y', '-o'] },
};

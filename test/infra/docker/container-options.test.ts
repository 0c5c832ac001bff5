/** Every line of the security checklist that is a container setting. */
import { describe, expect, it } from 'vitest';
import { containerOptions, userOf } from '../../../src/infra/docker/container-options.ts';
import { defaultLimits } from '../../../src/infra/docker/limits.ts';

const identity = { owner: 'o', worker: 'w', lease: 'lease', image: 'sha256:1' };
const options = containerOptions(identity, defaultLimits);
const host = options.HostConfig ?? {};

describe('a sandbox container', () => {
  it('has no network', () => {
    expect(options.NetworkDisabled).toBe(true);
    expect(host.NetworkMode).toBe('none');
    expect(host.PortBindings).toBeUndefined();
  });

  it('sees nothing of the host: no mount, no device, no log, no shared namespace', () => {
    for (const setting of ['Binds', 'Mounts', 'VolumesFrom', 'Devices', 'DeviceRequests', 'PidMode', 'UTSMode', 'GroupAdd'] as const)
      expect({ [setting]: host[setting] }).toEqual({ [setting]: undefined });
    expect(host.IpcMode).toBe('private');
    expect(host.LogConfig).toEqual({ Type: 'none', Config: {} });
  });

  it('has no privileges, and keeps the default seccomp and AppArmor profiles', () => {
    expect(host.Privileged).toBe(false);
    expect(host.CapDrop).toEqual(['ALL']);
    expect(host.CapAdd).toBeUndefined();
    expect(host.SecurityOpt).toEqual(['no-new-privileges:true']);
    expect(host.ReadonlyRootfs).toBe(true);
    expect(options.User).toMatch(/^(\d{5}):\1$/);
  });

  it('runs as a user of its own from 10001 on', () => {
    const users = new Set(Array.from({ length: 500 }, (_, index) => userOf(`lease-${index}-${index * 7919}`)));
    expect(users.size).toBeGreaterThan(400);
    for (const user of users) expect(user).toBeGreaterThanOrEqual(10_001);
  });

  it('is bounded in memory without swap, processor, processes, files and disk', () => {
    expect(host.Memory).toBe(512 << 20);
    expect(host.MemorySwap).toBe(host.Memory);
    expect(host.NanoCpus).toBe(1e9);
    expect(host.PidsLimit).toBe(64);
    expect(host.OomScoreAdj).toBe(500);
    expect(host.Ulimits).toContainEqual({ Name: 'nofile', Soft: 256, Hard: 256 });
    expect(host.Ulimits).toContainEqual({ Name: 'core', Soft: 0, Hard: 0 });
    expect(host.Tmpfs?.['/workspace']).toMatch(/nosuid,nodev,size=67108864,nr_inodes=/);
    expect(host.Tmpfs?.['/tmp']).toMatch(/nosuid,nodev,noexec,size=33554432/);
    expect(host.ShmSize).toBe(16 << 20);
  });

  it('gets a fixed environment and nothing of the worker’s', () => {
    expect(options.Env).toEqual(['USER=sandbox', 'LOGNAME=sandbox', 'HEKTOR_PRELOAD=numpy,pandas,matplotlib']);
    expect(options.Hostname).toBe('sandbox');
  });

  it('ends and removes itself when its worker is gone, and is found by its labels', () => {
    expect(options.StdinOnce).toBe(true);
    expect(host.AutoRemove).toBe(true);
    expect(host.RestartPolicy).toEqual({ Name: 'no' });
    expect(options.Labels).toEqual({ 'hektor.owner': 'o', 'hektor.worker': 'w', 'hektor.lease': 'lease', 'hektor.image': 'sha256:1' });
  });

  it('is locked in harder by setting', () => {
    const strict = containerOptions(identity, { ...defaultLimits, runtime: 'runsc', cgroupParent: '/hektor' });
    expect(strict.HostConfig).toMatchObject({ Runtime: 'runsc', CgroupParent: '/hektor' });
    expect(host.Runtime).toBeUndefined();
  });
});

import { redisContracts } from './contracts.ts';

redisContracts('Redis Cluster', { cluster: true });

import { redisContracts } from './contracts.ts';

redisContracts('Redis', {});

/** Every prompt of the program. A plugin's tool descriptions stand with the plugin. */
export { initialPrompt } from './initial.prompt.ts';
export { heardPrompt } from './heard.prompt.ts';
export { redactedPrompt } from './redacted.prompt.ts';
export { requestPrompt } from './request.prompt.ts';
export { generatedCodeExecutedPrompt } from './generated-code-executed.prompt.ts';
export { userCodeExecutedPrompt } from './user-code-executed.prompt.ts';
export { hintPrompt } from './hint.prompt.ts';
export { stateMovedPrompt } from './state-moved.prompt.ts';
export { decidedPrompt } from './decided.prompt.ts';
export { gapPrompt, toolResultPrompt } from './history.prompt.ts';
export { summarisePrompt, toSummarisePrompt, summaryPrompt } from './summary.prompt.ts';
export { picturesPrompt } from './pictures.prompt.ts';
export { sessionFactsPrompt } from './session-facts.prompt.ts';
export { toolFailedPrompt } from './tool-failed.prompt.ts';
export { callGarbledPrompt } from './call-garbled.prompt.ts';

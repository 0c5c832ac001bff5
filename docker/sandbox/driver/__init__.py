"""The driver of a sandbox container: a small supervisor (process 1) and the child that runs a person's code.

PROTOCOL.md says what is spoken with the worker. Modules, from the outside in:

  supervisor, process, watch, report     process 1: alone holds the worker's stdin and stdout, and alone says how a run ended
  child, channel, lockdown, preload      the forked process, its pipes to the supervisor, what it may not do, how it ripens
  cell, show, errors, pictures, figures  running one cell: value, traceback, pictures; guard puts back what a cell replaced
  session, names, rebuild                the live namespace, and what of it is read back when
  save, save_names, groups, pickler      saving it in groups of names; culprit and verify find what cannot be kept
  settings, workspace, mapped            what is kept beside names: options, random states, files
"""

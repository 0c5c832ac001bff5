"""The driver of a sandbox container: a small supervisor (process 1) and the child that runs a person's code.

PROTOCOL.md says what is spoken with the worker. Modules, from the outside in:

  supervisor, watch, report    process 1: alone holds the worker's stdin and stdout, and alone says how a run ended
  preload                      heavy libraries imported while nobody waits
  child, channel, lockdown     the forked process, its pipe to the supervisor, what it may not do
  cell, show, errors, figures  running one cell: value, traceback, pictures
  session, groups, pickler     the live namespace, saved and restored in groups of names
  settings, workspace          what is kept beside names: options, random states, files
"""

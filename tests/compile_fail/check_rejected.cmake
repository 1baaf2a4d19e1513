# Passes when SOURCE compiles with CONTROL defined, and without it is rejected with the message that
# its `// expect:` line names.
file(STRINGS "${SOURCE}" expectation REGEX "^// expect: " LIMIT_COUNT 1)
string(REGEX REPLACE "^// expect: +" "" expectation "${expectation}")
if(NOT expectation)
  message(FATAL_ERROR "${SOURCE}: no line `// expect: REGEX`")
endif()

set(command "${COMPILER}" -std=c++20 -fsyntax-only -I "${INCLUDE}")
execute_process(COMMAND ${command} -DCONTROL "${SOURCE}" RESULT_VARIABLE code ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${SOURCE} does not compile with CONTROL defined, so its rejection would "
                      "prove nothing:\n${errors}")
endif()

set(ENV{LC_ALL} C)
execute_process(COMMAND ${command} "${SOURCE}" RESULT_VARIABLE code ERROR_VARIABLE errors)
if(code EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, and it must not")
endif()
if(NOT errors MATCHES "${expectation}")
  message(FATAL_ERROR "${SOURCE} is rejected, but not with \"${expectation}\":\n${errors}")
endif()

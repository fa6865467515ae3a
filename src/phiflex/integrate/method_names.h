// The table of methods. A new one is one file and one line here. catalogue.cpp alone includes this file, so that a new
// line compiles little.
#pragma once

// NAME: the function NAME_method() makes its entry. In the order of the documentation.
#define PHIFLEX_METHODS(METHOD) \
  METHOD(symplectic_euler)      \
  METHOD(rk4)                   \
  METHOD(central_difference)    \
  METHOD(si)                    \
  METHOD(be)                    \
  METHOD(midpoint)              \
  METHOD(bdf2)                  \
  METHOD(tr_bdf2)               \
  METHOD(newmark)               \
  METHOD(generalized_alpha)     \
  METHOD(ere)                   \
  METHOD(exprb32)               \
  METHOD(exprb42)               \
  METHOD(pexprb43)              \
  METHOD(epirk4s3)              \
  METHOD(gautschi)              \
  METHOD(siere)                 \
  METHOD(zheng)                 \
  METHOD(chen_ricles)           \
  METHOD(gui)                   \
  METHOD(chang)                 \
  METHOD(mssi)                  \
  METHOD(dgsi)                  \
  METHOD(em)                    \
  METHOD(emx)                   \
  METHOD(verlet)

// From how busy a device is to watts of the device and of its node.
//
//   u         = compute + w_memory memory + w_network network       idle adds nothing
//   device    = tdp curve_device(u)
//   node      = node_full curve_node(u)
//   node_full = node_ref / curve_node(u_ref) n / n_ref + n (tdp - tdp_ref)
//
// node_ref is the mean power of the generation's reference node while it trains at about u_ref; a
// device with another power limit shifts it by the difference of the limits. The curves are the
// load profile of an eight-device host as shares of its full load, piecewise linear.
#pragma once

#include <array>

#include "base/estimate.hpp"
#include "base/quantity.hpp"
#include "catalog/catalog.hpp"
#include "catalog/entries.hpp"

namespace greenline::model {

// Shares of the wall time of one device. Exclusive; they sum to 1.
struct BusyFractions {
  double compute = 0;  // products and attention, without what waits for memory
  double memory = 0;   // arithmetic waits for memory bandwidth
  double network = 0;  // exposed communication
  double idle = 0;     // pipeline bubble

  double sum() const { return compute + memory + network + idle; }
};

struct PowerDraw {
  double utilisation = 0;              // u
  base::Estimate<base::Power> device;  // mean of one device
  base::Estimate<base::Power> node;  // mean of one node with its hosts, without the network fabric
  base::Estimate<base::Power> node_full;  // the same node at u = 1
};

// UserError "implausible-power" when the node would draw more than its maximum; it names the
// inputs. UserError "no-power" for a generation without a reference node.
PowerDraw power_draw(const catalog::Catalog& facts, const catalog::System& system,
                     const BusyFractions& busy);

// The nominal draw of a node as plain numbers, for searches that ask a million times.
class NodeCurve {
 public:
  NodeCurve() = default;  // draws nothing
  // Throws what power_draw throws.
  NodeCurve(const catalog::Catalog& facts, const catalog::System& system);

  // Watts of one node; the nominal of power_draw().node to rounding.
  double watts(double utilisation) const;
  double utilisation(const BusyFractions& busy) const {
    return busy.compute + weight_memory_ * busy.memory + weight_network_ * busy.network;
  }
  double full() const { return watts_[3]; }
  double idle() const { return watts_[0]; }
  // Energy of a given work grows with the time that it takes: no straight piece of the curve, made
  // longer, comes out below 0 W at no load or falls.
  bool waiting_costs() const;

 private:
  std::array<double, 4> watts_{};  // at the loads of the profile: 0, 0.1, 0.5, 1
  double weight_memory_ = 0, weight_network_ = 0;
};

}  // namespace greenline::model
